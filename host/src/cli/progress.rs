//! One live line on a terminal while a run goes on; nothing elsewhere.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tokio::sync::watch;

use crate::gate::Progress;

/// How often the line is drawn anew.
const REDRAW: Duration = Duration::from_millis(100);

/// Waits for `work` and shows how far the run has come meanwhile.
pub(super) async fn shown<T>(
    mut progress: watch::Receiver<Progress>,
    work: impl Future<Output = T>,
) -> T {
    // Hidden by itself where stderr is no terminal.
    let line = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    line.set_style(
        ProgressStyle::with_template("{spinner} {elapsed} {msg}").expect("the template is fixed"),
    );
    line.enable_steady_tick(REDRAW);
    let show = async {
        while progress.changed().await.is_ok() {
            let Progress { issued, finished } = *progress.borrow_and_update();
            line.set_message(format!("{finished} of {issued} calls answered"));
        }
        std::future::pending::<()>().await;
    };
    let done = tokio::select! {
        biased;
        done = work => done,
        () = show => unreachable!("the display never ends by itself"),
    };
    line.finish_and_clear();
    done
}
