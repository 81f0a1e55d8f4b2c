"""Six rosters of eight roles each, as recruiters write them, with the roles that stand for the same readers marked.

A role's mark is a letter; roles of one roster with the same mark are the same readers. "=" after the mark says that it
is said in much the same words as the first of its mark, "-" that it is said in other forms of them ("invests", "investing"),
and "~" that it is a paraphrase. Roles with different marks are
different readers, however much of their topic and wording they share: the fans of two sides, say.
"""

from typing import NamedTuple

from agentdebate.ballots.roster import Role


class Marked(NamedTuple):
    """A role, and which readers it stands for."""

    mark: str
    role: Role

    @property
    def readers(self) -> str:
        """The mark without how it is worded."""
        return self.mark[0]


_SOURCE = """
# A defamation trial between two film stars
a  | Amber Heard Fan | Follows her career closely and hopes that the coverage is fair to her side of the story.
b  | Johnny Depp Fan | Follows his career closely and hopes that the coverage is fair to his side of the story.
c  | Celebrity Gossip Reader | Wants juicy details about the private lives of film stars.
d  | Trial Lawyer | Looks at the evidence, the testimony and the legal reasoning behind the verdict.
d~ | Attorney | A legal professional who pays attention to court procedure and the grounds of the judgment.
c= | Celebrity Gossip Fan | Wants juicy details about private lives of stars and their scandals.
e  | Domestic Violence Advocate | Supports survivors of abuse and watches how the media treats their accounts.
e- | Advocate for Abuse Survivors | Supporting survivors of domestic abuse, watches how media treat their accounts.

# A new space telescope
a  | Amateur Astronomer | Owns a small telescope and knows the night sky; is curious about new instruments.
a= | Hobby Astronomer | Owns a telescope, knows the night sky and is curious about new instruments.
b  | Astrophysicist | Works on galaxy formation and expects precise figures and sources.
c  | Science Teacher | Looks for material that explains discoveries to a class of teenagers.
d  | Taxpayer | Asks what the mission costs and whether the money is well spent.
e  | Aerospace Engineer | Wants to know how the mirror, the sunshield and the launcher were built.
f  | High School Student | Has little background and needs simple words and comparisons.
f~ | Teenage Pupil | Is new to the subject and needs plain language and everyday examples.

# A rise of interest rates
a  | Homeowner with a Mortgage | Worries about monthly payments when rates rise.
b  | Retired Saver | Lives on savings and hopes for better returns from deposits.
e- | Day Trading Investor | Trades stocks on rate decisions, reacting within minutes to the numbers.
d  | Economist | Studies inflation and expects the central bank's reasoning and data.
d= | Economics Professor | Studies inflation and expects data and the reasoning of the central bank.
a~ | Home Loan Borrower | Is anxious that repayments on the house will grow each month.
e  | Stock Trader | Reacts within minutes to rate decisions and wants the numbers first.
f  | First-time Home Buyer | Is saving for a deposit and wonders whether to wait.

# A language model passes exams
a  | Software Engineer | Builds applications and wants to know about interfaces, limits and cost.
a= | Software Developer | Builds applications and wants to know the limits, interfaces and cost.
b  | Machine Learning Researcher | Reads the papers and looks for data, methods and ablations.
b~ | AI Scientist | Works in a lab on neural networks and checks how experiments were run.
c  | University Lecturer | Fears cheating and thinks about how to set examinations.
e- | Tech Investing Enthusiast | Invests in technology and looks for companies profiting from a growing market.
e  | Technology Investor | Looks for companies that will profit and for the size of the market.
f  | Privacy Campaigner | Asks whose text the system was trained on and with what consent.

# A museum returns carved heads
a  | Art Historian | Knows the provenance of collections and expects exact dates and names.
b  | Museum Curator | Cares for objects and weighs restitution against access and research.
c  | Descendant of the Makers | Belongs to the community from which the carvings were taken.
c~ | Member of the Indigenous Community | Has ancestors who carved the heads and wants them home.
d  | Tourist | Plans a visit and wants to know what can still be seen.
d= | Museum Visitor | Plans a visit to the museum and wants to know what can still be seen there.
e  | Diplomat | Sees the return as a sign of relations between two governments.
a- | Historian of Art | Expects exact dating and naming of what was collected, with its provenance.

# A strike of railway workers
a  | Train Commuter | Travels to work by train and needs to know which services run.
a= | Rail Commuter | Travels to work by train each day and needs to know which trains run.
b  | Railway Worker | Is on strike and wants pay and safety claims to be reported correctly.
c  | Trade Union Organiser | Compares the offer with other industries and plans the next ballot.
d  | Business Owner | Loses customers and staff hours on strike days and wants an end to it.
d~ | Restaurant Proprietor | Takes less money when people stay away because nothing runs, and hopes for a deal soon.
e  | Government Minister | Has to keep spending down and to answer questions in parliament.
c- | Union Organizer | Organises trade unions, compares offers across industries and plans balloting.
"""


def _rosters() -> dict[str, tuple[Marked, ...]]:
    blocks = [block.strip().splitlines() for block in _SOURCE.split("#") if block.strip()]
    return {lines[0]: tuple(_marked(line) for line in lines[1:]) for lines in blocks}


def _marked(line: str) -> Marked:
    mark, type_, description = (part.strip() for part in line.split("|"))
    return Marked(mark, Role(type=type_, description=description))


ROSTERS = _rosters()
"""What the text is about, to its roster."""
