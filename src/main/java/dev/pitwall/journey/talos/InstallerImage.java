package dev.pitwall.journey.talos;

import java.net.URI;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A reference to an installer image of an Image Factory, {@code HOST/PLATFORM-installer/ID:VERSION} (facts: cluster.md 4.4).
 *
 * @param host for example {@code factory.talos.dev}
 * @param path for example {@code metal-installer-secureboot}
 */
public record InstallerImage(String host, String path, String schematic, String version) {
    private static final Pattern FORM = Pattern.compile(
            "([^/]+)/((?:[a-z0-9-]+-)?installer(?:-secureboot)?)/([0-9a-f]{64}):(v[0-9][0-9A-Za-z.+-]*)");
    private static final String SECURE = "-secureboot";
    /** Before that one path served all platforms. */
    private static final int PLATFORM_PATHS = 10;

    /** @return empty if it is none of an Image Factory */
    public static Optional<InstallerImage> parse(String reference) {
        Matcher m = FORM.matcher(reference.strip());
        return m.matches() ? Optional.of(new InstallerImage(m.group(1), m.group(2), m.group(3), m.group(4)))
                : Optional.empty();
    }

    /**
     * The path of the installers of a platform.
     *
     * @param platform as Talos names it, for example {@code nocloud}
     */
    public static String path(String platform, TalosVersion version, SecureBoot secureBoot) {
        String plain = version.isFrom(1, PLATFORM_PATHS) ? platform + "-installer" : "installer";
        return secureBoot == SecureBoot.ON ? plain + SECURE : plain;
    }

    /** Whether the machine's firmware checks signatures. */
    public enum SecureBoot { ON, OFF }

    /** Where images lie whose schematics were posted to an address. */
    public static String host(String factory) {
        return URI.create(factory).getAuthority();
    }

    public String reference() {
        return host + "/" + path + "/" + schematic + ":" + version;
    }
}
