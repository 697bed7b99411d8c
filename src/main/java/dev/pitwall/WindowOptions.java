package dev.pitwall;

import java.util.Optional;

/**
 * How the window is opened. Parsed by hand, since loading the command line's library would delay the first frame.
 *
 * @param labScene     start this scene of the practice lab and show it
 * @param site         a saved site's name or a file; empty opens what was open last
 * @param smokeSeconds close by itself after so many seconds and print the figures of the run; for CI and the benchmark
 */
record WindowOptions(Optional<String> labScene, Optional<String> site, Optional<Integer> smokeSeconds) {
    private static final int USUAL_SMOKE_SECONDS = 8;
    private static final String USUAL_SCENE = "garage";

    /** @return empty if this is not a call for the window, which the command line then answers */
    static Optional<WindowOptions> parse(String... args) {
        Optional<String> lab = Optional.empty();
        Optional<String> site = Optional.empty();
        Optional<Integer> smoke = Optional.empty();
        for (int i = 0; i < args.length; i++) {
            boolean more = i + 1 < args.length;
            if (args[i].equals("--site") && more) {
                site = Optional.of(args[++i]);
            } else if (args[i].equals("--lab")) {
                boolean named = more && !args[i + 1].startsWith("-");
                lab = Optional.of(named ? args[++i] : USUAL_SCENE);
            } else if (args[i].equals("--smoke")) {
                boolean number = more && args[i + 1].matches("[1-9]\\d{0,4}");
                smoke = Optional.of(number ? Integer.parseInt(args[++i]) : USUAL_SMOKE_SECONDS);
            } else {
                return Optional.empty();
            }
        }
        return Optional.of(new WindowOptions(lab, site, smoke));
    }
}
