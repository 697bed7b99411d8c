package dev.pitwall.engine;

/** Does what the engine has decided, and tells the engine when it is done. The simulator is one; a live site is another. */
public interface Hands {

    /** Load it now. Answered by {@link Engine#loaded}. */
    void load(Placement placement);

    /** Unload it to make room. Answered by {@link Engine#returned}. */
    void unload(Placement placement);

    /** Serve it now. Answered by {@link Engine#completed}. */
    void serve(Request request, Placement placement, Cold cold);

    void refuse(Request request, Refusal refusal);

    /** Call {@link Engine#woken} at that time. */
    void wakeAt(Model model, double time);

    /** Call {@link Engine#idleLimit} at that time. */
    void watchIdle(Placement placement, double time);

    /** Its memory is free at once. Nothing answers. */
    void dropped(Placement placement);

    /** A decision, for those who show it. */
    void decided(Model model, Verdict verdict);

    /** Whether a request waited for a load. */
    enum Cold { COLD, WARM }
}
