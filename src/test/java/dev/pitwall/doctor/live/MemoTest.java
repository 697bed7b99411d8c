package dev.pitwall.doctor.live;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.site.Together;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class MemoTest {
    private final Memo memo = new Memo();
    private final AtomicInteger asked = new AtomicInteger();

    @Test
    void whatIsAskedTwiceIsAskedOnceAndTheRestByItself() throws Exception {
        assertThat(memo.ask(List.of("a"), asked::incrementAndGet)).isEqualTo(1);
        assertThat(memo.ask(List.of("a"), asked::incrementAndGet)).isEqualTo(1);
        assertThat(memo.ask(List.of("b"), asked::incrementAndGet)).isEqualTo(2);
    }

    @Test
    void whoAsksWhileTheFirstQuestionIsOnItsWayGetsItsAnswer() throws Exception {
        CountDownLatch all = new CountDownLatch(8);
        List<Callable<Integer>> questions = IntStream.range(0, 8).<Callable<Integer>>mapToObj(i -> () -> {
            all.countDown();
            return memo.ask(List.of("slow"), () -> {
                all.await();
                return asked.incrementAndGet();
            });
        }).toList();

        assertThat(Together.all(questions)).containsOnly(1).hasSize(8);
    }

    @Test
    void aTroubleIsTheAnswerForEverybody() {
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> memo.ask(List.of("a"), () -> {
                asked.incrementAndGet();
                throw new TroubleException(new Trouble(Trouble.Kind.MISSING, "pve1", "there is no such file", "Look."));
            })).isInstanceOf(TroubleException.class);
        }
        assertThat(asked).hasValue(1);
    }

    @Test
    void whoIsInterruptedLeavesTheQuestionToTheNextOne() throws Exception {
        assertThatThrownBy(() -> memo.ask(List.of("a"), () -> {
            throw new InterruptedException();
        })).isInstanceOf(InterruptedException.class);

        assertThat(memo.ask(List.of("a"), asked::incrementAndGet)).isEqualTo(1);
    }
}
