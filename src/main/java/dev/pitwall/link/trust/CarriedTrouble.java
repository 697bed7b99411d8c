package dev.pitwall.link.trust;

import dev.pitwall.card.TroubleException;

import java.io.IOException;

/** Carries a trouble through OkHttp, whose interceptors may throw only this sort. {@link NetworkTrouble} unpacks it. */
public final class CarriedTrouble extends IOException {
    private static final long serialVersionUID = 1L;

    private final TroubleException trouble;

    public CarriedTrouble(TroubleException trouble) {
        super(trouble.getMessage(), trouble);
        this.trouble = trouble;
    }

    public TroubleException trouble() {
        return trouble;
    }
}
