package dev.pitwall.cli.journey;

import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** The expected texts are those of {@code diff -u}. */
class UnifiedDiffTest {

    private static List<String> diff(String before, String after) {
        return new UnifiedDiff(before, after, 3).lines();
    }

    @Test
    void aNewFileIsAllAdded() {
        assertThat(diff("", "a\nb\n")).containsExactly("@@ -0,0 +1,2 @@", "+a", "+b");
    }

    @Test
    void aFileThatGoesIsAllRemoved() {
        assertThat(diff("a\n", "")).containsExactly("@@ -1 +0,0 @@", "-a");
    }

    @Test
    void threeLinesStandAroundAChange() {
        assertThat(diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n")).containsExactly(
                "@@ -2,7 +2,7 @@", " 2", " 3", " 4", "-5", "+five", " 6", " 7", " 8");
    }

    @Test
    void changesThatAreFarApartAreHunksOfTheirOwn() {
        String middle = "a\nb\nc\nd\ne\nf\ng\n";
        assertThat(diff("1\n" + middle + "2\n", "one\n" + middle + "two\n")).containsExactly("@@ -1,4 +1,4 @@", "-1", "+one",
                " a", " b", " c", "@@ -6,4 +6,4 @@", " e", " f", " g", "-2", "+two");
    }

    @Test
    void changesThatAreNearAreOneHunk() {
        String middle = "a\nb\nc\nd\ne\nf\n";
        assertThat(diff("1\n" + middle + "2\n", "one\n" + middle + "two\n")).containsExactly("@@ -1,8 +1,8 @@", "-1", "+one",
                " a", " b", " c", " d", " e", " f", "-2", "+two");
    }

    @Test
    void equalTextsDifferInNothing() {
        assertThat(diff("a\n", "a\n")).isEmpty();
    }
}
