package dev.pitwall.read;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The text of a file or of standard input.
 *
 * @param name  as the person gave it
 * @param notes what had to be done to read it
 */
public record InputFile(String name, String text, List<String> notes) {

    /** The most that is read of one file, in bytes. */
    public static final int MOST_BYTES = 64 << 20;

    private static final int LOOKED_AT = 64 << 10;

    public InputFile {
        notes = List.copyOf(notes);
    }

    /** @throws TroubleException in one sentence, if the file is not there, not readable, empty, or not a text */
    public static InputFile of(Path path) throws TroubleException {
        String name = path.toString();
        if (Files.isDirectory(path)) {
            throw trouble(name, "this is a folder, not a file", "Name the files in it.");
        }
        try (InputStream in = Files.newInputStream(path)) {
            return of(name, in);
        } catch (NoSuchFileException e) {
            throw new TroubleException(new Trouble(Trouble.Kind.MISSING, name, "there is no such file",
                    "Check the name, or use - for standard input."), e);
        } catch (AccessDeniedException e) {
            throw new TroubleException(new Trouble(Trouble.Kind.RIGHTS, name, "you may not read this file",
                    "Check its permissions, or copy it as root."), e);
        } catch (IOException e) {
            throw new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, name, "the file cannot be read",
                    "Check the disk or the share it is on."), e);
        }
    }

    /** @param in is read up to {@link #MOST_BYTES} and not closed */
    public static InputFile of(String name, InputStream in) throws TroubleException, IOException {
        byte[] bytes = in.readNBytes(MOST_BYTES);
        List<String> notes = new ArrayList<>();
        if (bytes.length == MOST_BYTES && in.read() >= 0) {
            notes.add("only the first 64 MiB were read");
        }
        if (bytes.length == 0) {
            throw trouble(name, "it is empty", "Give it the output of a command; pitwall read --help lists them.");
        }
        String text = decode(name, bytes, notes);
        if (text.isBlank()) {
            throw trouble(name, "it holds blanks only", "Give it the output of a command; pitwall read --help lists them.");
        }
        return new InputFile(name, text, notes);
    }

    private static String decode(String name, byte[] bytes, List<String> notes) throws TroubleException {
        if (bytes.length >= 2 && (bytes[0] & 0xff) == 0x1f && (bytes[1] & 0xff) == 0x8b) {
            throw trouble(name, "it is compressed", "Unpack it first, for example with gunzip.");
        }
        if (starts(bytes, 0xff, 0xfe) || mostlyAscii(bytes, 1)) {
            notes.add("read as UTF-16, as PowerShell's > writes it");
            return new String(bytes, StandardCharsets.UTF_16LE);
        }
        if (starts(bytes, 0xfe, 0xff) || mostlyAscii(bytes, 0)) {
            notes.add("read as UTF-16");
            return new String(bytes, StandardCharsets.UTF_16BE);
        }
        if (zeros(bytes, 0) + zeros(bytes, 1) > 0.01) {
            throw trouble(name, "it is a binary file, not the text of a command", "Give it the output of a command; "
                    + "pitwall read --help lists them.");
        }
        try {
            return utf8(bytes);
        } catch (CharacterCodingException e) {
            return notUtf8(name, bytes, notes);
        }
    }

    /** A character that the end cuts in two is left out. Checked in small pieces, since the text may be large. */
    private static String utf8(byte[] bytes) throws CharacterCodingException {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer piece = CharBuffer.allocate(LOOKED_AT);
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        CoderResult result = decoder.decode(in, piece, false);
        while (result.isOverflow()) {
            piece.clear();
            result = decoder.decode(in, piece, false);
        }
        if (result.isError()) {
            result.throwException();
        }
        return new String(bytes, 0, in.position(), StandardCharsets.UTF_8);
    }

    private static String notUtf8(String name, byte[] bytes, List<String> notes) throws TroubleException {
        int looked = Math.min(bytes.length, LOOKED_AT);
        int control = 0;
        for (int i = 0; i < looked; i++) {
            int b = bytes[i] & 0xff;
            control += b < 0x20 && b != '\n' && b != '\r' && b != '\t' && b != 0x1b ? 1 : 0;
        }
        if (control > looked / 50) {
            throw trouble(name, "it is a binary file, not the text of a command", "Give it the output of a command; "
                    + "pitwall read --help lists them.");
        }
        notes.add("some bytes are not UTF-8; read as Windows-1252");
        return new String(bytes, Charset.forName("windows-1252"));
    }

    private static boolean starts(byte[] bytes, int first, int second) {
        return bytes.length >= 2 && (bytes[0] & 0xff) == first && (bytes[1] & 0xff) == second;
    }

    /** UTF-16 of mostly ASCII without a byte order mark: every other byte is zero, and only those. */
    private static boolean mostlyAscii(byte[] bytes, int parity) {
        return zeros(bytes, parity) > 0.4 && zeros(bytes, 1 - parity) < 0.05;
    }

    /** Share of zero bytes at even (0) or odd (1) places of the beginning. */
    private static double zeros(byte[] bytes, int parity) {
        int looked = Math.min(bytes.length, LOOKED_AT);
        int zeros = 0;
        for (int i = parity; i < looked; i += 2) {
            zeros += bytes[i] == 0 ? 1 : 0;
        }
        return looked < 2 ? 0 : zeros / (looked / 2.0);
    }

    private static TroubleException trouble(String name, String what, String next) {
        return new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, name, what, next));
    }
}
