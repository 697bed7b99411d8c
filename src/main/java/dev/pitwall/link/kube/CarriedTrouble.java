package dev.pitwall.link.kube;

import java.io.IOException;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;

/** Carries a trouble through OkHttp, whose interceptors may throw only this sort. */
final class CarriedTrouble extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient Trouble trouble;

    CarriedTrouble(TroubleException trouble) {
        super(trouble.getMessage(), trouble);
        this.trouble = trouble.trouble();
    }

    Trouble trouble() {
        return trouble;
    }
}
