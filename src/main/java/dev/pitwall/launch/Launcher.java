package dev.pitwall.launch;

import java.lang.reflect.InvocationTargetException;

/**
 * What {@code java -jar} starts. It is compiled for Java 8, so that an old Java can still say what is missing instead
 * of failing with {@code UnsupportedClassVersionError}; everything else needs Java 25.
 */
public final class Launcher {
    private static final int NEEDED = 25;

    /** Exit code for bad use, as everywhere on the command line. */
    private static final int BAD_USE = 2;

    private Launcher() {
    }

    public static void main(String[] args) throws Throwable {
        String version = System.getProperty("java.specification.version");
        if (release(version) < NEEDED) {
            System.err.println("Pitwall needs Java " + NEEDED + " or newer, and this is Java " + version + " in "
                    + System.getProperty("java.home") + ": " + advice(System.getProperty("os.name"))
                    + ", then start it with that JDK's bin/java.");
            System.exit(BAD_USE);
        }
        start(args);
    }

    /** @param version {@code 1.8}, {@code 17}, {@code 25} */
    static int release(String version) {
        return Integer.parseInt(version.startsWith("1.") ? version.substring(2) : version);
    }

    private static String advice(String os) {
        if (os.startsWith("Windows")) {
            return "install it with \"winget install EclipseAdoptium.Temurin.25.JDK\"";
        }
        if (os.startsWith("Mac")) {
            return "install it with \"brew install --cask temurin@25\"";
        }
        return "install the package openjdk-25-jdk or temurin-25-jdk, or unpack a JDK from https://adoptium.net";
    }

    private static void start(String[] args) throws Throwable {
        try {
            Class.forName("dev.pitwall.Pitwall").getMethod("main", String[].class).invoke(null, (Object) args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
