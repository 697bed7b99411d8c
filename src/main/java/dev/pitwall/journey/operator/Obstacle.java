package dev.pitwall.journey.operator;

import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.Coming;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.Found;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Why a step may not run now.
 *
 * @param next   what to do about it; empty text where the sentence says it
 * @param coming where it only has to be waited for
 */
record Obstacle(State state, String why, String next, Optional<Coming> coming) {

    static Obstacle blocked(String why) {
        return blocked(why, "");
    }

    static Obstacle blocked(String why, String next) {
        return new Obstacle(State.BLOCKED, why, next, Optional.empty());
    }

    static Obstacle unknown(String why, String next) {
        return new Obstacle(State.UNKNOWN, why, next, Optional.empty());
    }

    static Obstacle waiting(String why, String what, Duration normal) {
        return new Obstacle(State.WAITING, why, "", Optional.of(new Coming(what, normal)));
    }

    Answer answer(List<Found> found) {
        Answer answer = Answer.of(state, why, found);
        answer = next.isEmpty() ? answer : answer.noting(next);
        return coming.isPresent() ? answer.coming(coming.get().what(), coming.get().normal()) : answer;
    }
}
