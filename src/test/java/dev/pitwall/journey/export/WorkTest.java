package dev.pitwall.journey.export;

import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.FileChange;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class WorkTest {
    private static final Content A = Content.of("a\n");
    private static final Content B = Content.of("b\n");
    private static final Content C = Content.of("c\n");

    @Test
    void whatSeveralStepsEndInIsDoneOnceAtTheEnd() {
        Work work = Work.of(Plans.plan(List.of(List.of(file(A, B), Plans.INITRAMFS, Plans.REBOOT),
                List.of(new FileChange("pve1", "/other", A, B, "x"), Plans.INITRAMFS, Plans.REBOOT))));

        assertThat(work.changes()).containsExactly(file(A, B), new FileChange("pve1", "/other", A, B, "x"),
                Plans.INITRAMFS, Plans.REBOOT);
    }

    @Test
    void aFileThatTwoStepsWriteOneAfterTheOtherIsWrittenOnce() {
        assertThat(Work.of(Plans.plan(List.of(List.of(file(A, B)), List.of(file(B, C))))).changes()).containsExactly(file(A, C));
        assertThat(Work.of(Plans.plan(List.of(List.of(file(A, B)), List.of(file(B, A))))).changes()).isEmpty();
    }

    @Test
    void aStepPlannedOnTheSameGroundIsLeftForAnotherPlan() {
        Work work = Work.of(Plans.plan(List.of(List.of(file(A, B)), List.of(file(A, C)), List.of(Plans.INITRAMFS))));

        assertThat(work.changes()).containsExactly(file(A, B));
        assertThat(work.open()).containsExactly("Step 1: to be planned when what comes before it is done",
                "Step 2: to be planned when what comes before it is done", "See the card in the guest: waits for\nthe rest");
    }

    private static FileChange file(Content before, Content after) {
        return new FileChange("pve1", "/etc/file", before, after, "x");
    }
}
