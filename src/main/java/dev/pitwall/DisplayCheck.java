package dev.pitwall;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Says why a window cannot be opened here, before the toolkit is asked: once JavaFX has failed to start in a process it
 * cannot be started there again, so the way to the headless tour must be taken first.
 */
final class DisplayCheck {
    private static final String GTK = "libgtk-3.so.0";
    private static final List<String> LIBRARY_FOLDERS = List.of("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
            "/usr/lib64", "/usr/lib", "/lib64", "/lib");
    private static final Pattern X_DISPLAY = Pattern.compile("(?:unix)?([^:/]*):(\\d+)(?:\\.\\d+)?");
    private static final int X_PORT = 6000;
    private static final int CONNECT_MILLIS = 2000;

    private final Map<String, String> environment;
    private final String system;

    DisplayCheck(Map<String, String> environment, String system) {
        this.environment = Map.copyOf(environment);
        this.system = system;
    }

    /** @return one sentence with what to do; empty if a window can be opened as far as can be told */
    Optional<String> obstacle() {
        if (!system.startsWith("Linux")) {
            return Optional.empty();
        }
        // GTK 3 under JavaFX draws through X11; a Wayland session offers it as XWayland and sets DISPLAY too.
        String display = environment.getOrDefault("DISPLAY", "");
        if (display.isBlank()) {
            return Optional.of("There is no display here (DISPLAY is not set).");
        }
        if (!answers(display)) {
            return Optional.of("The display " + display + " does not answer.");
        }
        if (!hasGtk()) {
            return Optional.of("GTK 3 is not installed (" + GTK + "): install libgtk-3-0 on Debian or Ubuntu, gtk3 on Fedora.");
        }
        return Optional.empty();
    }

    private static boolean answers(String display) {
        Matcher m = X_DISPLAY.matcher(display);
        if (!m.matches()) {
            // A form this check does not know (macOS launchd sockets, for example): leave it to the toolkit.
            return true;
        }
        int number = Integer.parseInt(m.group(2));
        if (!m.group(1).isEmpty()) {
            return answersOverTcp(m.group(1), number);
        }
        Path socket = Path.of("/tmp/.X11-unix/X" + number);
        if (!Files.exists(socket)) {
            // Servers may listen on the abstract socket only, which Java cannot open; TCP is the other way in.
            return abstractSocketListed(socket) || answersOverTcp("localhost", number);
        }
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            return channel.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean abstractSocketListed(Path socket) {
        try {
            return Files.readString(Path.of("/proc/net/unix")).contains("@" + socket);
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean answersOverTcp(String host, int number) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, X_PORT + number), CONNECT_MILLIS);
            return true;
        } catch (IOException | IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean hasGtk() {
        if (LIBRARY_FOLDERS.stream().anyMatch(f -> Files.exists(Path.of(f, GTK)))) {
            return true;
        }
        try (Arena arena = Arena.ofConfined()) {
            SymbolLookup.libraryLookup(GTK, arena);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
