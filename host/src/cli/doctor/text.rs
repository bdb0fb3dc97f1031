//! The report for people: a block for each server, on as few columns as every terminal has.

use super::{
    quote::Quote,
    report::{Agreed, End, Reached, Report, ServerReport, State, Tools, Unlisted},
};
use crate::limits::DoctorLimits;

/// Columns before the text of a line, with the label in them.
const INDENT: usize = 13;

/// All of it, without a line feed at the end.
pub(super) fn report(report: &Report, limits: &DoctorLimits) -> String {
    let mut text = String::new();
    for server in &report.servers {
        block(&mut text, server, limits);
        text.push('\n');
    }
    text.push_str(&format!("{} servers, {} fine", report.counted, report.fine));
    text
}

fn block(text: &mut String, server: &ServerReport, limits: &DoctorLimits) {
    let verdict = match server.state() {
        State::Fine => "fine",
        State::Failed => "FAILED",
        State::Disabled => "disabled in the configuration",
    };
    text.push_str(&wrapped(&format!("{}: {verdict}", server.name), 0, limits.columns).join("\n"));
    text.push('\n');
    for (label, about) in lines(server) {
        let about = wrapped(&about, INDENT, limits.columns);
        for (index, line) in about.iter().enumerate() {
            let label = if index == 0 { label } else { "" };
            text.push_str(format!("  {label:<width$}{line}", width = INDENT - 2).trim_end());
            text.push('\n');
        }
    }
}

/// The lines of a block, each with its label.
fn lines(server: &ServerReport) -> Vec<(&'static str, String)> {
    let mut lines = Vec::new();
    if let Some(problem) = &server.problem {
        lines.push(("problem", problem.detail.as_str().to_owned()));
        lines.push(("to do", problem.advice.clone()));
    }
    if let Some(reached) = &server.reached {
        lines.push(way(reached));
    }
    if let Some(agreed) = &server.session {
        let Agreed { era, protocol_version, server_name, server_version, .. } = agreed;
        lines.push(("protocol", format!("{} ({era} era)", protocol_version.as_str())));
        if agreed.second_start {
            let advice = "it failed when it was asked the newer way, and was started again; \"era\": \"legacy\" in its entry saves that";
            lines.push(("", advice.to_owned()));
        }
        if let Some(name) = server_name {
            let version = server_version.as_ref().map(|version| format!(", version {version}"));
            lines.push(("server", format!("{name}{}", version.unwrap_or_default())));
        }
    }
    if let Some(tools) = &server.tools {
        lines.extend(about_tools(tools));
    }
    if let Some(why) = &server.no_tools {
        lines.push(("tools", format!("no list of them: {}", why.as_str())));
    }
    if let Some(took) = server.open_ms {
        lines.push(("opened in", ms(took)));
    }
    if let Some(took) = server.round_trip_ms {
        lines.push(("round trip", ms(took)));
    }
    for (index, line) in server.stderr.iter().enumerate() {
        lines.push((if index == 0 { "stderr" } else { "" }, line.to_string()));
    }
    if let Some(end) = &server.end {
        lines.push(("ended", farewell(end)));
    }
    lines
}

fn way(reached: &Reached) -> (&'static str, String) {
    match reached {
        Reached::Stdio { command, arguments, folder } => {
            let arguments = match arguments {
                0 => "no arguments".to_owned(),
                1 => "1 argument".to_owned(),
                more => format!("{more} arguments"),
            };
            let folder = folder.as_ref().map(|folder| format!(", in {}", folder.as_str()));
            ("command", format!("{}, {arguments}{}", command.as_str(), folder.unwrap_or_default()))
        }
        Reached::Http { url } => ("address", url.as_str().to_owned()),
    }
}

fn about_tools(tools: &Tools) -> Vec<(&'static str, String)> {
    let mut lines =
        vec![("tools", format!("{}, {} of them read-only", tools.count, tools.read_only))];
    lines.extend(tools.clashes.iter().map(|clash| {
        let names: Vec<String> = clash.names.iter().map(Quote::to_string).collect();
        ("", format!("{} are all {} as an identifier", names.join(", "), clash.identifier.as_str()))
    }));
    lines.extend(tools.unlisted.iter().map(|Unlisted { key, name }| {
        ("", format!("\"{key}\" names {name}, which is no tool of this server: mend the name"))
    }));
    lines
}

fn farewell(end: &End) -> String {
    let status = end.status.as_deref().unwrap_or("status unknown");
    let took = ms(end.took_ms);
    let how = match end.farewell {
        "gone" => format!("{status}, before it was asked to"),
        "left" => format!("{status}, {took} after its input was closed"),
        "terminated" => format!("{status}, on SIGTERM, {took} after its input was closed"),
        "killed" => format!("{status}, on SIGKILL, {took} after its input was closed"),
        _ => format!("not even on SIGKILL, {took} after its input was closed"),
    };
    if end.left_processes {
        return format!("{how}; it left processes behind, which were killed");
    }
    how
}

fn ms(millis: f64) -> String {
    if millis < 10.0 { format!("{millis:.1} ms") } else { format!("{millis:.0} ms") }
}

/// Cuts a text into lines that fit beside `indent`; a word that is too long for a line is cut as well.
fn wrapped(text: &str, indent: usize, columns: usize) -> Vec<String> {
    let width = columns.saturating_sub(indent).max(1);
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if used > 0 && used + 1 + length > width {
            lines.push(String::new());
            used = 0;
        } else if used > 0 {
            lines.last_mut().expect("there is a first line").push(' ');
            used += 1;
        }
        for c in word.chars() {
            if used == width {
                lines.push(String::new());
                used = 0;
            }
            lines.last_mut().expect("there is a first line").push(c);
            used += 1;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        assert_eq!(wrapped("one two three", 2, 9), ["one two", "three"]);
        assert_eq!(wrapped("a äöüäöüäöü b", 1, 5), ["a", "äöüä", "öüäö", "ü b"]);
        assert_eq!(wrapped("", 1, 5), [""]);
    }
}
