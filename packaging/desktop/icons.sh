#!/bin/sh
# Draws every icon file from icon.svg and logo.svg: the app icon as resources/icons/logo-SIZE.png, the mark as
# resources/icons/mark*.png, and pitwall.ico for Windows. The results are kept in the repository, so a build needs none of this.
# Needs rsvg-convert (Debian: librsvg2-bin) and python3.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
icons=$here/../../resources/icons
mkdir -p "$icons"
for size in 16 24 32 48 64 128 256 512; do
    rsvg-convert --width "$size" --height "$size" --output "$icons/logo-$size.png" "$here/icon.svg"
done
rsvg-convert --width 16 --height 16 --output "$icons/mark.png" "$here/logo.svg"
rsvg-convert --width 32 --height 32 --output "$icons/mark@2x.png" "$here/logo.svg"

# An .ico is a small directory followed by PNG files; an .icns is a sequence of typed PNG blocks.
python3 - "$icons" "$here" <<'PYTHON'
import struct, sys
icons, here = sys.argv[1:]
def png(size):
    with open(f"{icons}/logo-{size}.png", "rb") as file:
        return file.read()

sizes = [16, 24, 32, 48, 64, 256]
images = [png(size) for size in sizes]
offset = 6 + 16 * len(sizes)
with open(f"{here}/pitwall.ico", "wb") as ico:
    ico.write(struct.pack("<HHH", 0, 1, len(sizes)))
    for size, image in zip(sizes, images):
        ico.write(struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(image), offset))
        offset += len(image)
    for image in images:
        ico.write(image)

blocks = b"".join(struct.pack(">4sI", kind, 8 + len(png(size))) + png(size)
                  for kind, size in [(b"icp4", 16), (b"icp5", 32), (b"icp6", 64), (b"ic07", 128), (b"ic08", 256), (b"ic09", 512)])
with open(f"{here}/pitwall.icns", "wb") as icns:
    icns.write(struct.pack(">4sI", b"icns", 8 + len(blocks)) + blocks)
PYTHON
