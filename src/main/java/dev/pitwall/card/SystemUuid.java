package dev.pitwall.card;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * SMBIOS UUIDs. Up to SMBIOS 2.5 the first three fields were big-endian, since 2.6 they are little-endian, and tools
 * disagree about old tables; so one machine's UUID can be met in two byte orders.
 */
public final class SystemUuid {
    private static final Pattern FORM = Pattern.compile(
            "(\\p{XDigit}{2})(\\p{XDigit}{2})(\\p{XDigit}{2})(\\p{XDigit}{2})-(\\p{XDigit}{2})(\\p{XDigit}{2})"
                    + "-(\\p{XDigit}{2})(\\p{XDigit}{2})(-\\p{XDigit}{4}-\\p{XDigit}{12})");

    private SystemUuid() {
    }

    /** True if the two name one machine, in whatever byte order and case. */
    public static boolean same(String uuid, String other) {
        return uuid.equalsIgnoreCase(other) || otherByteOrder(uuid).equalsIgnoreCase(other);
    }

    /** The same UUID with its first three fields in the other byte order; a text of another form as it is. */
    public static String otherByteOrder(String uuid) {
        Matcher m = FORM.matcher(uuid);
        return m.matches() ? m.replaceFirst("$4$3$2$1-$6$5-$8$7$9") : uuid;
    }
}
