package dev.pitwall;

import dev.pitwall.card.TroubleException;
import dev.pitwall.cli.BadUse;
import dev.pitwall.cli.EngineCommand;
import dev.pitwall.cli.EstimateCommand;
import dev.pitwall.cli.ExitCode;
import dev.pitwall.cli.LabCommand;
import dev.pitwall.cli.Output;
import dev.pitwall.cli.ReadCommand;
import dev.pitwall.cli.SimulateCommand;
import dev.pitwall.cli.StatusCommand;
import dev.pitwall.cli.Tour;
import dev.pitwall.cli.TourCommand;
import dev.pitwall.cli.doctor.DoctorCommand;
import dev.pitwall.cli.journey.ApplyCommand;
import dev.pitwall.cli.journey.JournalCommand;
import dev.pitwall.cli.journey.Journeys;
import dev.pitwall.cli.journey.PlanCommand;
import dev.pitwall.cli.journey.RollCallCommand;
import dev.pitwall.cli.journey.UndoCommand;
import dev.pitwall.doctor.Doctor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import dev.pitwall.site.SecondFactor;
import picocli.CommandLine;
import picocli.CommandLine.Command;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The command line. */
final class Commands {
    private static final Logger LOG = LoggerFactory.getLogger(Commands.class);

    private final PrintWriter out;
    private final PrintWriter err;

    /** On the process's own streams, in UTF-8 whatever the locale. */
    Commands() {
        this(new PrintWriter(System.out, false, StandardCharsets.UTF_8),
                new PrintWriter(System.err, true, StandardCharsets.UTF_8));
    }

    Commands(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    @Command(name = "pitwall", mixinStandardHelpOptions = true, versionProvider = Version.class,
            description = "From the PCIe slot to a served token, and the wall it is watched from.",
            synopsisHeading = "Usage: pitwall [--site NAME|FILE | --lab [SCENE]] [--smoke [SECONDS]]%n       ",
            footer = {"", "Without a command the window opens; where there is no display it says so and walks the tour.",
                    "--site shows that site, --lab starts the practice lab; --smoke closes the window after some seconds",
                    "and prints what was measured.", "",
                    "Exit codes: 0 fine, 1 found a fault or refused, 2 bad use or input, 3 a system was not reached."})
    private static final class Root {
    }

    /** The version the jar's manifest names. */
    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"Pitwall " + Pitwall.version()};
        }
    }

    /** @return the exit code */
    int run(String... args) {
        Output output = new Output(out, err);
        try (Wiring wiring = new Wiring()) {
            CommandLine commands = new CommandLine(new Root())
                    .addSubcommand(new LabCommand(wiring.labs(), output))
                    .addSubcommand(new StatusCommand(wiring::open, output))
                    .addSubcommand(new PlanCommand(wiring::open, journeys(wiring), output))
                    .addSubcommand(new ApplyCommand(wiring::open, journeys(wiring), output))
                    .addSubcommand(new UndoCommand(journeys(wiring), output))
                    .addSubcommand(new RollCallCommand(wiring::open, journeys(wiring), output, wiring.clock()))
                    .addSubcommand(new JournalCommand(journeys(wiring), output))
                    .addSubcommand(new DoctorCommand(Doctor::withCatalogue, wiring::open,
                            live -> wiring.doctor(live, SecondFactor.NONE), System.in, output))
                    .addSubcommand(new ReadCommand().commandLine())
                    .addSubcommand(new EstimateCommand(output))
                    .addSubcommand(new SimulateCommand(output))
                    .addSubcommand(new CommandLine(new EngineCommand(wiring::open, wiring::engine, output))
                            .setCaseInsensitiveEnumValuesAllowed(true))
                    .addSubcommand(new TourCommand(tour(wiring), output));
            commands.setOut(out).setErr(err);
            commands.setParameterExceptionHandler((e, given) -> badUse(e, List.of(given)));
            commands.setExecutionExceptionHandler((e, line, result) -> unforeseen(output, e));
            return commands.execute(args);
        } catch (TroubleException e) {
            return output.trouble(e.trouble());
        } finally {
            out.flush();
        }
    }

    private static Journeys journeys(Wiring wiring) {
        return new SiteJourneys(wiring);
    }

    private static Tour tour(Wiring wiring) {
        return new HeadlessTour(wiring);
    }

    private int badUse(CommandLine.ParameterException e, List<String> given) {
        err.println("pitwall: " + new BadUse(e, given).sentence());
        CommandLine.UnmatchedArgumentException.printSuggestions(e, err);
        err.println("Try: " + e.getCommandLine().getCommandSpec().qualifiedName() + " --help");
        return ExitCode.BAD_USE;
    }

    private static int unforeseen(Output output, Exception e) {
        LOG.error("a command ended in an unforeseen way", e);
        output.note("pitwall: something unforeseen went wrong; the log has the details");
        return ExitCode.BAD_USE;
    }
}
