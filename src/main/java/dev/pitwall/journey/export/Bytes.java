package dev.pitwall.journey.export;

import dev.pitwall.journey.change.Content;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/** The bytes of a file, in a text. */
final class Bytes {
    private Bytes() {
    }

    /** The text, if writing it as text gives back exactly these bytes: UTF-8 without control characters. */
    static Optional<String> plain(Content content) {
        byte[] bytes = raw(content);
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            return text.chars().allMatch(c -> c == '\n' || c == '\t' || c >= ' ' && c != 0x7f
                    && !(c >= 0x80 && c < 0xa0)
                    && c != 0xfeff && c != 0x2028 && c != 0x2029) ? Optional.of(text) : Optional.empty();
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    static String base64(Content content) {
        return Base64.getEncoder().encodeToString(raw(content));
    }

    private static byte[] raw(Content content) {
        return switch (content) {
            case Content.Bytes(byte[] bytes) -> bytes;
            case Content.Absent a -> new byte[0];
        };
    }
}
