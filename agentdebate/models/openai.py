"""The name by which users' code opens chat-completions endpoints; nothing inside the package imports from it."""

from agentdebate.models.dialects.chat_completions import OpenAIChat, open_openai

__all__ = ["OpenAIChat", "open_openai"]
