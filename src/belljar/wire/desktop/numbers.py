"""Numbers in bodies as the reference has them: 32 bits, signed or not, and never made out of text or fractions."""

from typing import Annotated

from pydantic import Field

I32 = Annotated[int, Field(strict=True, ge=-(2**31), le=2**31 - 1)]
U32 = Annotated[int, Field(strict=True, ge=0, le=2**32 - 1)]
