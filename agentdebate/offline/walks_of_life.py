"""Walks of life: which words of a text belong to which, and who reads such texts for a living."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Person:
    """A type of reader: what it is called, who it is, what it wants of a text."""

    title: str
    life: str
    wish: str


@dataclass(frozen=True, slots=True)
class Field:
    """A field of life: the words that show it (singular; a plural in s is known too), and the people who work in it."""

    signs: frozenset[str]
    people: tuple[Person, ...]

    def shown(self, words: AbstractSet[str]) -> list[str]:
        """The signs that are among the words. They are compared whole: a stem takes "policy" for "police"."""
        return [sign for sign in self.signs if sign in words or f"{sign}s" in words]


def _field(signs: str, *people: tuple[str, str, str]) -> Field:
    return Field(frozenset(signs.split()), tuple(Person(*person) for person in people))


FIELDS = (
    _field(
        """police officer arrest arrested suspect crime criminal murder murdered shot gunman shooting shooter robbery
        detective prison prisoner jail theft stolen victim stabbed stabbing charged killer assault violence firearm""",
        ("Police officer", "Works in law enforcement", "wants exact facts, names and dates"),
        ("Crime reporter", "Writes about crime for a newspaper", "checks every statement against the source"),
        (
            "Social worker",
            "Looks after families that violence has hurt",
            "wants to know what happened to the people",
        ),
    ),
    _field(
        """court judge lawyer attorney trial jury verdict lawsuit law legal justice sentence sentenced ruling appeal
        plaintiff defendant testimony testified prosecutor convicted guilty illegal judicial defamation""",
        ("Lawyer", "Practises law", "wants precise wording and facts that are beyond dispute"),
        ("Court clerk", "Keeps the records of trials", "wants the events in their order"),
        ("Law student", "Is training for the bar", "wants to learn the details of the case"),
    ),
    _field(
        """president minister government election vote voter senator senate congress parliament party campaign democrat
        republican policy politician political democracy mayor governor legislation lawmaker midterm poll""",
        ("Politician", "Stands for election in a middling country", "wants the main points at a glance"),
        ("Civil servant", "Works in an office of the government", "wants accuracy and a clear structure"),
        ("Campaign volunteer", "Knocks on doors before an election", "is interested in updates"),
    ),
    _field(
        """war troop soldier army military missile invasion weapon attack bomb bombing navy tank combat ceasefire
        defense defence occupied occupation rocket airstrike general commander front nuclear ukraine nato""",
        ("Soldier", "Serves in an army", "wants a short report of what happened"),
        ("Aid worker", "Helps people who flee from wars", "wants to know what happened to the people"),
        ("Military historian", "Studies wars old and new", "wants depth, names and dates"),
    ),
    _field(
        """hospital doctor patient disease virus vaccine vaccination vaccinated health medical medicine treatment cancer
        infection infected symptom nurse surgery drug covid pandemic outbreak clinic therapy diagnosed medication""",
        ("Nurse", "Works shifts in a hospital", "wants the important points in plain words"),
        ("Doctor", "Treats patients", "wants figures and facts that agree with the source"),
        ("Carer of a patient", "Looks after someone who is ill", "wants it easy to understand"),
    ),
    _field(
        """company business market economy economic bank investor profit sale price stock inflation trade job worker
        industry customer revenue billion tax budget financial ceo retailer employee wage debt growth""",
        (
            "Business owner",
            "Runs a company and looks for opportunities",
            "has little time and wants the key points",
        ),
        ("Economist", "Studies markets", "wants figures that are right"),
        ("Small investor", "Puts savings into shares", "is interested in updates"),
    ),
    _field(
        """game team player match season coach league club goal championship tournament football soccer tennis golf
        olympic athlete racing cup stadium basketball baseball fan medal win winner score champion cricket""",
        ("Sports fan", "Watches every match", "wants a lively account of what happened"),
        ("Coach", "Trains a team", "wants detail and figures"),
        ("Sports reporter", "Writes about games on a deadline", "looks at style and wording"),
    ),
    _field(
        """scientist research researcher study experiment laboratory science species physics planet telescope space
        discovery dna fossil astronomer biology theory evolution galaxy nasa university chemist climate""",
        ("Scientist", "Does research at a laboratory", "checks facts against the evidence"),
        ("Science teacher", "Explains nature to children", "wants it explained clearly and in order"),
        ("Amateur scientist", "Reads about discoveries for pleasure", "is curious and wants depth"),
    ),
    _field(
        """software computer internet app google apple facebook twitter phone device data algorithm technology tech
        website online user platform digital robot hacker cyber code program startup smartphone""",
        ("Software developer", "Writes programs", "wants exact facts in a logical order"),
        ("Gadget lover", "Buys every new device", "wants a lively text with updates"),
        (
            "Computer teacher",
            "Shows people how to use the internet",
            "wants plain words that are easy to follow",
        ),
    ),
    _field(
        """film movie actor actress singer music song album celebrity hollywood show star band concert series television
        tv artist theatre theater fashion netflix award oscar director premiere episode audience comedian""",
        ("Celebrity watcher", "Reads the gossip of stage and screen", "wants a lively text about people"),
        ("Film critic", "Reviews films and shows", "looks at style and wording"),
        ("Musician", "Plays in a band", "is interested in what happened to fellow artists"),
    ),
    _field(
        """storm hurricane flood flooding earthquake wildfire tornado rain snow weather drought rescue evacuated
        evacuation disaster temperature heat wind forecast landslide tsunami firefighter fire""",
        ("Firefighter", "Comes when disaster strikes", "wants a short report of what happened"),
        ("Weather forecaster", "Predicts storms", "wants figures that are right"),
        ("Farmer", "Works the land and lives by the weather", "wants the main points in plain words"),
    ),
    _field(
        """climate emission carbon environment environmental pollution wildlife species forest ocean conservation
        biodiversity warming fossil renewable energy solar animal bird whale habitat plastic endangered""",
        ("Environmentalist", "Campaigns for nature", "wants the important facts and their background"),
        ("Park ranger", "Looks after a nature reserve", "wants detail"),
        ("Energy engineer", "Builds power plants", "wants figures that are right"),
    ),
    _field(
        """school teacher student pupil university college education classroom class exam degree campus teaching
        kindergarten lesson curriculum graduate professor literacy learning homework""",
        ("Teacher", "Teaches at a school", "looks at grammar and clear sentences"),
        ("School parent", "Has children at school", "wants it easy to understand"),
        ("Head of a school", "Is responsible for pupils and staff", "wants accuracy"),
    ),
    _field(
        """flight airline airport plane passenger travel traveler traveller tourist tourism hotel trip vacation holiday
        cruise destination beach visitor visa luggage island resort sightseeing itinerary""",
        ("Frequent traveller", "Is on the road most of the year", "has little time and wants the key points"),
        ("Travel agent", "Sells journeys", "wants a lively and detailed text"),
        ("Hotel manager", "Runs a hotel", "is interested in updates"),
    ),
    _field(
        """food restaurant chef cook cooking recipe meal diet kitchen eat eating dish ingredient wine beer coffee vegan
        meat vegetable fruit sugar bread grocery baking flavor flavour taste""",
        ("Cook", "Cooks in a restaurant", "wants exact detail in the right order"),
        ("Food lover", "Tries every new dish", "wants a lively text"),
        ("Dietitian", "Advises people on what to eat", "checks facts against the evidence"),
    ),
    _field(
        """train railway car driver road traffic bus crash bridge highway vehicle truck commuter transport station
        motorway collision bicycle cyclist subway ferry pedestrian tesla""",
        ("Commuter", "Travels to work every day", "has little time and wants the key points"),
        ("Lorry driver", "Drives long distances", "wants plain words that are easy to follow"),
        ("Traffic planner", "Plans roads and railways", "wants figures that are right"),
    ),
    _field(
        """church religion religious god pope priest bishop faith muslim christian jewish islam mosque temple prayer
        pray catholic bible holy worship congregation rabbi imam""",
        ("Parish priest", "Cares for a congregation", "wants to know what happened to the people"),
        ("Scholar of religion", "Studies what people believe", "wants depth and background"),
    ),
    _field(
        """family child mother father baby parent son daughter marriage married wife husband wedding birth pregnant
        pregnancy abortion divorce mom dad grandmother sister brother""",
        ("Young parent", "Brings up small children", "has little time and wants the key points"),
        ("Family counsellor", "Advises couples and families", "wants to know what happened to the people"),
    ),
    _field(
        """king queen prince princess royal palace monarch monarchy duke duchess throne crown jubilee majesty
        coronation buckingham""",
        ("Royal watcher", "Knows every royal family", "wants a lively text with names and dates"),
        ("Court historian", "Studies kings and queens", "wants accuracy and background"),
    ),
    _field(
        """book author novel poem poet writer story painting museum art history historian archaeologist ancient
        exhibition literature publisher language word poetry gallery century""",
        ("Librarian", "Looks after books", "looks at style and wording"),
        ("Museum guide", "Shows visitors around", "wants a lively text that flows"),
        ("Novelist", "Writes books", "looks at style and wording"),
    ),
    _field(
        """garden gardener gardening plant tomato flower seed soil tree lawn compost weed vegetable harvest""",
        ("Gardener", "Grows plants", "wants exact detail in the right order"),
        ("Botanist", "Studies plants", "checks facts against the evidence"),
    ),
    _field(
        """house home roof repair furniture build builder rent housing apartment landlord tenant mortgage property
        bedroom buyer seller estate construction""",
        ("Home owner", "Looks after a house", "wants plain words that are easy to follow"),
        ("Estate agent", "Sells houses", "is interested in updates"),
        ("Builder", "Builds and repairs houses", "wants exact figures"),
    ),
)

GENERAL = (
    Person("Student", "Goes to school", "wants to know more about the world, explained in plain words"),
    Person(
        "Pensioner", "Reads the paper from the first page to the last", "wants the whole story in good style"
    ),
    Person("Shop owner", "Stands behind a counter all day", "has little time and wants the key points"),
    Person("Office worker", "Reads in the lunch break", "wants the main points at a glance"),
    Person("Homemaker", "Keeps a household running", "is interested in what happened to people"),
    Person("Factory worker", "Reads after a shift", "wants plain words that are easy to follow"),
    Person("Engineer", "Builds things that have to work", "wants exact facts and figures"),
    Person("Translator", "Turns texts into other languages", "looks at grammar and clear sentences"),
    Person("Accountant", "Keeps books", "checks every figure"),
    Person("Salesperson", "Talks to people all day", "wants a lively text"),
    Person("Archivist", "Files texts so that they are found again", "checks statements against the source"),
    Person("Taxi driver", "Hears news on the radio between two fares", "wants a short text"),
    Person("Immigrant", "Learns the language of a new country", "wants it easy to understand"),
    Person("Hairdresser", "Hears what everybody talks about", "wants a lively text about people"),
    Person("Manager", "Leads a department", "is busy and wants the key points"),
    Person("Secretary", "Writes letters for others", "looks at grammar, spelling and punctuation"),
    Person("Craftsman", "Works with tools", "wants the steps in their order"),
    Person("Unemployed person", "Has time to read", "wants depth and background"),
    Person("Security guard", "Reads through the night", "wants the whole story"),
    Person("Volunteer", "Gives spare time to others", "wants to know what happened to the people"),
)
"""Walks of life that any text has readers in, for texts that show too few fields."""
