package dev.pitwall.read;

import java.util.regex.Pattern;

/** Keeps secrets that stand in a values file out of what is printed. */
final class Secrets {

    private static final Pattern KEY = Pattern.compile("(?i).*(?:password|passwd|token|apikey|api_key|secretkey|clientsecret|privatekey)$");

    private Secrets() {
    }

    /** @param path dotted path of the value; its last word decides */
    static String mask(String path, String value) {
        return !value.isEmpty() && KEY.matcher(path).matches() ? "(not shown)" : value;
    }
}
