package dev.pitwall.ui.connect;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** A SHA-256 fingerprint, 32 bytes: of a certificate, written in hex, or of a host key, written as OpenSSH does. */
final class Fingerprint {
    static final int BYTES = 32;

    private static final Pattern HEX = Pattern.compile("(?<![0-9A-Fa-f])(?<![0-9A-Fa-f]{2}:)"
            + "[0-9A-Fa-f]{2}(?:[: ]?[0-9A-Fa-f]{2}){31}(?![0-9A-Fa-f:])");
    /** {@code pvenode cert info} draws a table, and a narrow terminal breaks its cells. */
    private static final Pattern BROKEN_CELL = Pattern.compile("[ \\t|\u2502\u2503]*(?::[ \\t|\u2502\u2503]*\\R[\\s|\u2502\u2503]*"
            + "|\\R[\\s|\u2502\u2503]*:)");
    private static final Pattern OPENSSH = Pattern.compile("SHA256:([A-Za-z0-9+/]{43})(?![A-Za-z0-9+/])");
    private static final HexFormat COLONS = HexFormat.ofDelimiter(":").withUpperCase();
    private static final int GROUP = 4;
    private static final int LINE = 16;

    private final byte[] bytes;
    private final boolean openSsh;

    private Fingerprint(byte[] bytes, boolean openSsh) {
        this.bytes = bytes;
        this.openSsh = openSsh;
    }

    /** The first fingerprint in the text. */
    static Optional<Fingerprint> in(String text) {
        return allIn(text).stream().findFirst();
    }

    /** Every fingerprint in the text: a console may show those of several certificates. */
    static List<Fingerprint> allIn(String text) {
        List<Fingerprint> found = new ArrayList<>();
        Matcher openSsh = OPENSSH.matcher(text);
        while (openSsh.find()) {
            found.add(new Fingerprint(Base64.getDecoder().decode(openSsh.group(1)), true));
        }
        Matcher hex = HEX.matcher(BROKEN_CELL.matcher(text).replaceAll(":"));
        while (hex.find()) {
            found.add(new Fingerprint(HexFormat.of().parseHex(hex.group().replaceAll("[: ]", "")), false));
        }
        return found;
    }

    /** Compares with what the console shows, pasted as a whole; of several fingerprints there the nearest counts. */
    Comparison compare(String pasted) {
        if (pasted.isBlank()) {
            return new Comparison.Nothing();
        }
        return allIn(pasted).stream().min(Comparator.comparingInt(other -> differences(other).size()))
                .map(this::against).orElseGet(Comparison.NoFingerprint::new);
    }

    private Comparison against(Fingerprint other) {
        List<Integer> places = differences(other);
        return places.isEmpty() ? new Comparison.Equal(other) : new Comparison.Differs(other, places);
    }

    private List<Integer> differences(Fingerprint other) {
        return IntStream.range(0, BYTES).filter(i -> bytes[i] != other.bytes[i]).map(i -> i + 1).boxed().toList();
    }

    /** As its system writes it. */
    String text() {
        return openSsh ? "SHA256:" + Base64.getEncoder().withoutPadding().encodeToString(bytes)
                : COLONS.formatHex(bytes);
    }

    /** For the eye: groups of four bytes, four a line; a host key's as one line of one group. */
    List<List<String>> lines() {
        if (openSsh) {
            return List.of(List.of(text()));
        }
        return IntStream.range(0, BYTES / LINE).mapToObj(line -> IntStream.range(0, LINE / GROUP)
                .mapToObj(group -> group(line * LINE + group * GROUP)).toList()).toList();
    }

    private String group(int from) {
        return COLONS.formatHex(Arrays.copyOfRange(bytes, from, from + GROUP));
    }
}
