package dev.pitwall.engine.policy;

import dev.pitwall.engine.*;

final class PitwallPolicy implements Policy {
    private final Ranked r;
    PitwallPolicy(Fleet fleet) { r = new Ranked("pitwall", (p, _) -> p.lastUse()); }
    public String name() { return "pitwall"; }
    public Verdict decide(Model model, Board board, double now) { return r.decide(model, board, now); }
}
