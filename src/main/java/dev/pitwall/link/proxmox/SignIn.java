package dev.pitwall.link.proxmox;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Proxmox.Caller;
import okhttp3.Request;

/** How a request proves who asks. */
sealed interface SignIn permits TokenSignIn, TicketSignIn {

    /** Puts the proof on a request; signs in first where that is needed. */
    void sign(Request.Builder request) throws TroubleException, InterruptedException;

    Caller caller();

    /** Proxmox answered 401 to a signed request. */
    void refused(TroubleException refusal);
}
