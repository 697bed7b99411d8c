package dev.pitwall.bench;

import java.time.Duration;
import java.time.Instant;
import javafx.application.Platform;
import javafx.scene.Scene;
import javafx.scene.control.Label;
import javafx.scene.layout.StackPane;
import javafx.stage.Stage;

/** The least a JavaFX window can be: what Pitwall's own window is compared with. Prints the time and ends. */
public final class BareWindow {

    private BareWindow() {
    }

    public static void main(String[] args) {
        Platform.startup(() -> {
            Stage stage = new Stage();
            Scene scene = new Scene(new StackPane(new Label("Bare")), 1440, 900);
            stage.setScene(scene);
            scene.addPostLayoutPulseListener(new Runnable() {
                @Override
                public void run() {
                    scene.removePostLayoutPulseListener(this);
                    System.out.println("window after " + Duration.between(
                            ProcessHandle.current().info().startInstant().orElseThrow(), Instant.now()).toMillis() + " ms");
                    Platform.exit();
                }
            });
            stage.show();
        });
    }
}
