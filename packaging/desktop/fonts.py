#!/usr/bin/env python3
"""Copies the four font files the app ships into resources/fonts and names the semi-bold ones as the bold of their family.

JavaFX knows a family only by its first two names (regular, bold); a semi-bold face is a family of its own there, and
-fx-font-weight then has no effect. The glyphs are untouched. Both licences (OFL-1.1, without reserved names) allow this.
Needs fontTools, and the fonts of Debian's fonts-inter and fonts-jetbrains-mono (or a folder given as the argument).
"""
import pathlib
import sys

from fontTools.ttLib import TTFont

source = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/fonts")
target = pathlib.Path(__file__).resolve().parents[2] / "resources" / "fonts"
BOLD_IN_SELECTION, REGULAR_IN_SELECTION, BOLD_IN_STYLE = 1 << 5, 1 << 6, 1


def find(name):
    return next(source.rglob(name))


def as_bold(font, family):
    names = font["name"]
    for record in list(names.names):
        if record.nameID in (1, 2, 4, 16, 17):
            names.removeNames(record.nameID)
    for name_id, text in {1: family, 2: "Bold", 4: family + " Bold", 16: family, 17: "SemiBold"}.items():
        names.setName(text, name_id, 3, 1, 0x409)
    selection = font["OS/2"].fsSelection
    font["OS/2"].fsSelection = (selection | BOLD_IN_SELECTION) & ~REGULAR_IN_SELECTION
    font["head"].macStyle |= BOLD_IN_STYLE


target.mkdir(parents=True, exist_ok=True)
for regular in ("Inter-Regular.otf", "JetBrainsMono-Regular.ttf"):
    (target / regular).write_bytes(find(regular).read_bytes())
for semi_bold, family in (("Inter-SemiBold.otf", "Inter"), ("JetBrainsMono-SemiBold.ttf", "JetBrains Mono")):
    font = TTFont(find(semi_bold), recalcTimestamp=False)
    as_bold(font, family)
    font.save(target / semi_bold)
