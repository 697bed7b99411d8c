package dev.pitwall.doctor.evidence;

import java.io.IOException;
import java.io.Reader;

/**
 * The lines of a text of any length, without terminal colours. A line that is longer than {@link #LONGEST} is cut there,
 * so that one line of a gigabyte takes no more room than a long one. A carriage return ends a line too: progress bars
 * write over themselves with it.
 */
public final class Lines {

    /** The most of one line that is looked at, in characters. */
    public static final int LONGEST = 16_384;

    private final Reader reader;
    private final char[] buffer = new char[32_768];
    private final StringBuilder line = new StringBuilder();
    private int at;
    private int end;
    private boolean afterReturn;

    public Lines(Reader reader) {
        this.reader = reader;
    }

    /** @return null at the end of the text */
    public String next() throws IOException {
        line.setLength(0);
        boolean any = false;
        while (at < end || fill()) {
            char c = buffer[at++];
            if (c == '\n' && afterReturn && !any) {
                afterReturn = false;
                continue;
            }
            afterReturn = c == '\r';
            any = true;
            if (c == '\n' || c == '\r') {
                return plain();
            }
            if (line.length() < LONGEST) {
                line.append(c);
            }
        }
        return any ? plain() : null;
    }

    private boolean fill() throws IOException {
        at = 0;
        end = Math.max(reader.read(buffer, 0, buffer.length), 0);
        return end > 0;
    }

    /** Without escape sequences and other characters that do not print. */
    private String plain() {
        for (int i = 0; i < line.length(); i++) {
            if (line.charAt(i) < ' ' && line.charAt(i) != '\t') {
                return printable();
            }
        }
        return line.toString();
    }

    private String printable() {
        StringBuilder plain = new StringBuilder(line.length());
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == 0x1b) {
                i = endOfEscape(i);
            } else if (c >= ' ' || c == '\t') {
                plain.append(c);
            }
        }
        return plain.toString();
    }

    /** An escape sequence is {@code ESC [ … letter}, or {@code ESC} and one character (ECMA-48). */
    private int endOfEscape(int escape) {
        int i = escape + 1;
        if (i < line.length() && line.charAt(i) == '[') {
            i++;
            while (i < line.length() && (line.charAt(i) < '@' || line.charAt(i) > '~')) {
                i++;
            }
        }
        return i;
    }
}
