from typing import TypedDict
class Options(TypedDict, total=False):
    pass
