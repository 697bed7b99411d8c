package dev.pitwall.ui.theme;

/** The two looks. Each is AtlantaFX's Primer plus the few colours of our own. */
public enum Theme {
    DARK("/atlantafx/base/theme/primer-dark.bss", "/css/tokens-dark.css"),
    LIGHT("/atlantafx/base/theme/primer-light.bss", "/css/tokens-light.css");

    private final String base;
    private final String tokens;

    Theme(String base, String tokens) {
        this.base = base;
        this.tokens = tokens;
    }

    /** The user-agent stylesheet, in its binary form: the text form costs a tenth of a second to parse. */
    String base() {
        return Theme.class.getResource(base).toExternalForm();
    }

    String tokens() {
        return Theme.class.getResource(tokens).toExternalForm();
    }
}
