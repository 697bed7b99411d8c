package dev.pitwall.ui.shell;

import java.util.Locale;

/** The entries of the rail, in its order. */
public enum Page {
    GARAGE("fth-layers"), SETUP("fth-tool"), BOARD("fth-grid"), CLAIMS("fth-key"), DOCTOR("fth-activity"),
    JOURNAL("fth-list"), SETTINGS("fth-settings");

    private final String icon;

    Page(String icon) {
        this.icon = icon;
    }

    /** Feather's name of its icon. */
    public String icon() {
        return icon;
    }

    /** Key of its name in the message bundle. */
    public String key() {
        return "page." + name().toLowerCase(Locale.ROOT);
    }

    /** 1 to 6 for those with a key of their own, Ctrl+1 to Ctrl+6; the settings have none. */
    public int digit() {
        return this == SETTINGS ? 0 : ordinal() + 1;
    }
}
