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
        return switch (TextEncoding.of(bytes)) {
            case GZIP -> throw trouble(name, "it is compressed", "Unpack it first, for example with gunzip.");
            case UTF_16LE -> {
                notes.add("read as UTF-16, as PowerShell's > writes it");
                yield new String(bytes, StandardCharsets.UTF_16LE);
            }
            case UTF_16BE -> {
                notes.add("read as UTF-16");
                yield new String(bytes, StandardCharsets.UTF_16BE);
            }
            case BINARY -> throw binary(name);
            case UTF_8 -> {
                try {
                    yield utf8(bytes);
                } catch (CharacterCodingException e) {
                    yield notUtf8(name, bytes, notes);
                }
            }
        };
    }

    private static TroubleException binary(String name) {
        return trouble(name, "it is a binary file, not the text of a command", "Give it the output of a command; "
                + "pitwall read --help lists them.");
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
        if (TextEncoding.manyControls(bytes)) {
            throw binary(name);
        }
        notes.add("some bytes are not UTF-8; read as Windows-1252");
        return new String(bytes, Charset.forName("windows-1252"));
    }

    private static TroubleException trouble(String name, String what, String next) {
        return new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, name, what, next));
    }
}
