package dev.pitwall.read;

import java.util.regex.Pattern;

/** Keeps secrets that stand in a values file or a VM's configuration out of what is printed. */
final class Secrets {

    private static final Pattern KEY = Pattern.compile("(?i).*(?:password|passwd|token|apikey|api_key|secretkey|clientsecret|privatekey|sshkeys)$");

    private Secrets() {
    }

    /** @param path key of the value, for example its dotted path; the last word decides */
    static String mask(String path, String value) {
        return !value.isEmpty() && KEY.matcher(path).matches() ? "(not shown)" : value;
    }
}
