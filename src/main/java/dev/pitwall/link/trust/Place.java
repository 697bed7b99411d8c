package dev.pitwall.link.trust;

import java.net.URI;

/**
 * A socket that Pitwall talks to, as sentences name it.
 *
 * @param name what the person calls the system, for example {@code pve1}
 * @param host name or address that is resolved
 * @param port 1 to 65535
 */
public record Place(Service service, String name, String host, int port) {

    /** The place a URL points at, with the scheme's own port where it names none. */
    public static Place of(Service service, String name, URI url) {
        int port = url.getPort() > 0 ? url.getPort() : "https".equalsIgnoreCase(url.getScheme()) ? 443 : 80;
        return new Place(service, name, url.getHost() == null ? "" : url.getHost(), port);
    }

    /** {@code host:port}; an IPv6 address keeps its brackets. */
    public String where() {
        boolean bare = host.contains(":") && !host.startsWith("[");
        return (bare ? "[" + host + "]" : host) + ":" + port;
    }

    /** The host without the brackets of an IPv6 address, as sockets want it. */
    public String socketHost() {
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }

    @Override
    public String toString() {
        return where();
    }
}
