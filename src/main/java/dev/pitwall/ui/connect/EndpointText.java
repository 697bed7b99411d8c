package dev.pitwall.ui.connect;

import dev.pitwall.site.Endpoint;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a service is, as it is typed: a URL, or {@code namespace/service:port} in the cluster. */
final class EndpointText {
    private static final Pattern SERVICE =
            Pattern.compile("(?:(https?):)?([a-z0-9][a-z0-9-]*)/([a-z0-9][a-z0-9-]*):(\\d{1,5})");
    private static final int LAST_PORT = 65535;

    private EndpointText() {
    }

    /** @return empty if it is neither */
    static Optional<Endpoint> parse(String typed) {
        String text = typed.strip();
        Matcher service = SERVICE.matcher(text);
        if (service.matches() && port(service.group(4))) {
            return Optional.of(new Endpoint.Service(service.group(2), service.group(3),
                    Integer.parseInt(service.group(4)), Optional.ofNullable(service.group(1)).orElse("http")));
        }
        return url(text);
    }

    private static boolean port(String digits) {
        int port = Integer.parseInt(digits);
        return port > 0 && port <= LAST_PORT;
    }

    private static Optional<Endpoint> url(String text) {
        try {
            URI uri = new URI(text);
            boolean http = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
            return http && uri.getHost() != null ? Optional.of(new Endpoint.Url(uri)) : Optional.empty();
        } catch (URISyntaxException _) {
            return Optional.empty();
        }
    }

    static String of(Endpoint endpoint) {
        return switch (endpoint) {
            case Endpoint.Url url -> url.url().toString();
            case Endpoint.Service s -> scheme(s.scheme()) + s.namespace() + "/" + s.name() + ":" + s.port();
            case Endpoint.Pod p -> scheme(p.scheme()) + p.namespace() + "/" + p.name() + ":" + p.port();
        };
    }

    private static String scheme(String scheme) {
        return scheme.equals("http") ? "" : scheme + ":";
    }
}
