package dev.pitwall.link.http;

import java.util.Locale;

/**
 * What a server answered, whatever its status.
 *
 * @param reason      the reason phrase: on Proxmox before 8.4 the only place of the error text
 * @param contentType empty where the server sent none
 * @param server      header {@code Server}; empty where there is none
 * @param location    header {@code Location}; empty where there is none
 */
public record HttpAnswer(int status, String reason, String contentType, String server, String location, String body) {

    public boolean ok() {
        return status >= 200 && status < 300;
    }

    public boolean redirect() {
        return status >= 300 && status < 400;
    }

    /** True for a web page, which no API that Pitwall asks ever answers with. */
    public boolean page() {
        return contentType.toLowerCase(Locale.ROOT).contains("text/html")
                || body.stripLeading().regionMatches(true, 0, "<!doctype html", 0, 14)
                || body.stripLeading().regionMatches(true, 0, "<html", 0, 5);
    }
}
