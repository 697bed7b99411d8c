package dev.pitwall.engine.vram;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names of a split model's files, as llama.cpp's gguf-split gives them.
 *
 * @param base   without number
 * @param number of this file, from 1
 * @param count  of files
 */
record GgufParts(Path folder, String base, int number, int count) {
    private static final Pattern NAME = Pattern.compile("(.+)-(\\d{5})-of-(\\d{5})\\.gguf");

    static Optional<GgufParts> of(Path file) {
        Matcher matcher = NAME.matcher(file.getFileName().toString());
        return matcher.matches() ? Optional.of(new GgufParts(file.toAbsolutePath().getParent(), matcher.group(1),
                Integer.parseInt(matcher.group(2)), Integer.parseInt(matcher.group(3)))) : Optional.empty();
    }

    Path part(int other) {
        return folder.resolve(String.format(Locale.ROOT, "%s-%05d-of-%05d.gguf", base, other, count));
    }
}
