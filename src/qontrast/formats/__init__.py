"""Files: a graph is read from and written to any format in the table `FORMATS`.

Every format is a pair of pure functions `parse(text)` and `render(qbaf)` in a module of its own; our own JSON has
`from_data` and `to_data` too. The format is the one named, else the one of the file's suffix, else the first that
recognises the text. What a reader assumes and what a writer cannot keep is a `FormatWarning`; what cannot be read or
written is a `FormatError` with file and line. A user's own format is one more entry in the table.

>>> read_text("arg(a, 0.5). \\n arg(b, 1.0). \\n att(b, a).")
<Qbaf: 2 arguments, 1 attack, 0 supports>
"""

from .files import EXAMPLE_FILES, FORMATS, Format, convert, read, read_bytes, read_text, write, write_text
from .groups import read_groups
from .lists import from_lists
from .many import read_many, write_many
from .node_link import from_networkx, to_networkx

__all__ = [
    "EXAMPLE_FILES",
    "FORMATS",
    "Format",
    "convert",
    "from_lists",
    "from_networkx",
    "read",
    "read_bytes",
    "read_groups",
    "read_many",
    "read_text",
    "to_networkx",
    "write",
    "write_many",
    "write_text",
]
