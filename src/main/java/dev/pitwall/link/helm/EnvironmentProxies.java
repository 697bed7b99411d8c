package dev.pitwall.link.helm;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The proxies that the environment names, read as Helm itself reads them: {@code HTTPS_PROXY} or {@code HTTP_PROXY} by the
 * address' scheme, {@code NO_PROXY} with names, endings and addresses, and none to this computer itself (golang:
 * x/net/http/httpproxy). Ranges of addresses in {@code NO_PROXY} are not read: charts are fetched by name.
 */
final class EnvironmentProxies extends ProxySelector {
    private static final List<String> LOCAL = List.of("localhost", "127.0.0.1", "::1", "[::1]");
    private static final int HTTP_PORT = 80;
    private static final int SOCKS_PORT = 1080;

    private final Map<String, String> environment;

    EnvironmentProxies(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    /** The variable that decides about an address; empty where none is set, or the address is excepted. */
    Optional<String> variable(URI address) {
        String name = "https".equalsIgnoreCase(address.getScheme()) ? "HTTPS_PROXY" : "HTTP_PROXY";
        String host = Optional.ofNullable(address.getHost()).orElse("").toLowerCase(Locale.ROOT);
        return LOCAL.contains(host) || excepted(host) ? Optional.empty()
                : Stream.of(name, name.toLowerCase(Locale.ROOT)).filter(v -> !environment.getOrDefault(v, "").isBlank()).findFirst();
    }

    private boolean excepted(String host) {
        String list = environment.getOrDefault("NO_PROXY", environment.getOrDefault("no_proxy", ""));
        return Arrays.stream(list.split(",")).map(text -> text.strip().toLowerCase(Locale.ROOT)).filter(t -> !t.isEmpty())
                .map(text -> text.replaceFirst("^\\*?\\.", ".").replaceFirst(":\\d+$", ""))
                .anyMatch(text -> text.equals("*") || host.equals(text.replaceFirst("^\\.", ""))
                        || host.endsWith(text.startsWith(".") ? text : "." + text));
    }

    /** @return empty if the variable's text is no address of a proxy; it may hold a password and is never repeated */
    Optional<URI> proxy(String variable) {
        String text = environment.getOrDefault(variable, "").strip();
        try {
            URI uri = new URI(text.contains("://") ? text : "http://" + text);
            boolean known = List.of("http", "socks5").contains(String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT));
            return known && uri.getHost() != null ? Optional.of(uri) : Optional.empty();
        } catch (URISyntaxException garbled) {
            return Optional.empty();
        }
    }

    static int port(URI proxy) {
        return proxy.getPort() > 0 ? proxy.getPort() : socks(proxy) ? SOCKS_PORT : HTTP_PORT;
    }

    private static boolean socks(URI proxy) {
        return "socks5".equalsIgnoreCase(proxy.getScheme());
    }

    @Override
    public List<Proxy> select(URI address) {
        return List.of(variable(address).flatMap(this::proxy).map(uri -> new Proxy(socks(uri) ? Proxy.Type.SOCKS
                : Proxy.Type.HTTP, InetSocketAddress.createUnresolved(uri.getHost(), port(uri)))).orElse(Proxy.NO_PROXY));
    }

    @Override
    public void connectFailed(URI address, SocketAddress proxy, IOException failure) {
        // Whoever fetches tells it.
    }
}
