package dev.pitwall.engine.policy;

import dev.pitwall.engine.Fleet;
import dev.pitwall.engine.Request;
import dev.pitwall.engine.sim.Simulator;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the known rules would have come to with the same requests: each runs beside, on paper. A request is handed to
 * them when it is known how long its service took, so they are as far behind as that; both sides are then compared over
 * the same requests.
 */
final class Shadows {
    private static final List<Policies> RULES = List.of(Policies.GDSF, Policies.LFU, Policies.LRU, Policies.LANDLORD,
            Policies.KUBEMOOT);
    /** A request that is not done by then is handed over with the mean of its model. */
    private static final double LATEST_SECONDS = 900;
    private static final double NOT_YET = -1;

    private static final class Past {
        private final long request;
        private final int model;
        private final double at;
        private double service = NOT_YET;
        private double waited = NOT_YET;

        Past(long request, int model, double at) {
            this.request = request;
            this.model = model;
            this.at = at;
        }
    }

    private final Deque<Past> open = new ArrayDeque<>();
    private final Map<Long, Past> byRequest = new HashMap<>();
    /** Handed over, and still waiting. */
    private final Map<Long, Past> late = new HashMap<>();
    private final List<Simulator> rules;
    private final Services services;
    private double ownWaitSeconds;
    /** Requests that wait, and the sum of their arrival times: so their waiting is known without going through them. */
    private int waiting;
    private double waitingSince;

    Shadows(Fleet fleet, Services services) {
        this.services = services;
        rules = RULES.stream().map(r -> new Simulator(fleet, r.create(fleet, List.of()))).toList();
        rules.forEach(Simulator::begin);
    }

    void arrived(long request, int model, double now) {
        Past past = new Past(request, model, now);
        open.add(past);
        byRequest.put(request, past);
        waiting++;
        waitingSince += now;
        while (open.peek().service != NOT_YET || open.peek().at < now - LATEST_SECONDS) {
            handOver(open.poll());
            if (open.isEmpty()) {
                return;
            }
        }
    }

    private void handOver(Past past) {
        byRequest.remove(past.request);
        if (past.waited == NOT_YET) {
            late.put(past.request, past);
        } else {
            ownWaitSeconds += past.waited;
        }
        double service = past.service == NOT_YET ? services.seconds(past.model) : past.service;
        Request same = new Request(past.request, past.model, past.at, service);
        rules.forEach(r -> r.arrives(same));
    }

    void waited(long request, double seconds) {
        Past past = byRequest.getOrDefault(request, late.get(request));
        if (past != null) {
            past.waited = seconds;
            waiting--;
            waitingSince -= past.at;
            ownWaitSeconds += late.remove(request) == null ? 0 : seconds;
        }
    }

    /** It will not be served; the shadows never see it. */
    void refused(long request) {
        Past past = byRequest.remove(request);
        open.removeLastOccurrence(past);
        waiting--;
        waitingSince -= past.at;
    }

    void served(long request, double seconds) {
        Past past = byRequest.get(request);
        if (past != null) {
            past.service = seconds;
        }
    }

    /** Seconds our requests have waited, of those the shadows have seen and of those that wait now. */
    double ownWaitSeconds(double now) {
        return ownWaitSeconds + waiting * now - waitingSince;
    }

    /** Seconds they would have waited with the rule that loads least. */
    double bestWaitSeconds() {
        return rules.stream().min(Comparator.comparingDouble(Simulator::loadSeconds)).orElseThrow().waitSeconds();
    }
}
