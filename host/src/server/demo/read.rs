//! Reading text files, whole or in part.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
};

use super::{Files, error::FileError, root::Inside};

impl Files {
    /// Reads a file, or so many lines from its start or its end. 0 means the whole file, as clients send it for "not given".
    pub(super) fn read_part(
        &self,
        path: &str,
        head: Option<usize>,
        tail: Option<usize>,
    ) -> Result<String, FileError> {
        match (head.unwrap_or(0), tail.unwrap_or(0)) {
            (0, 0) => self.read_whole(path),
            (head, 0) => self.read_head(path, head),
            (0, tail) => self.read_tail(path, tail),
            _ => Err(FileError::HeadAndTail),
        }
    }

    /// Reads several files into one text.
    pub(super) fn read_several(&self, paths: &[String]) -> Result<String, FileError> {
        if paths.is_empty() {
            return Err(FileError::NoPaths);
        }
        let mut answer = String::new();
        for (index, path) in paths.iter().enumerate() {
            if index > 0 {
                answer.push_str("\n---\n");
            }
            match self.read_whole(path) {
                Ok(text) => answer.push_str(&format!("{path}:\n{text}\n")),
                Err(error) => answer.push_str(&format!("{path}: Error - {}", error.to_text())),
            }
            // Here and not only at the end, so that no more is held than one file too many.
            answer = self.checked(answer)?;
        }
        Ok(answer)
    }

    fn read_whole(&self, path: &str) -> Result<String, FileError> {
        let (inside, mut file) = self.open_file(path)?;
        let bytes = self.read_window(&inside, &mut file)?;
        if bytes.len() > self.limits.max_text_bytes {
            return Err(self.too_large(&inside));
        }
        text(&inside, bytes)
    }

    fn read_head(&self, path: &str, lines: usize) -> Result<String, FileError> {
        let (inside, mut file) = self.open_file(path)?;
        let mut bytes = self.read_window(&inside, &mut file)?;
        match bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(lines - 1) {
            Some((newline, _)) => bytes.truncate(newline),
            None if bytes.len() > self.limits.max_text_bytes => return Err(self.too_large(&inside)),
            None => trim_newline(&mut bytes),
        }
        text(&inside, bytes)
    }

    fn read_tail(&self, path: &str, lines: usize) -> Result<String, FileError> {
        let (inside, mut file) = self.open_file(path)?;
        let max = self.limits.max_text_bytes as u64;
        let length = file.seek(SeekFrom::End(0)).map_err(|error| inside.error("read", error))?;
        let start = length.saturating_sub(max);
        file.seek(SeekFrom::Start(start)).map_err(|error| inside.error("read", error))?;
        let mut bytes = self.read_window(&inside, &mut file)?;
        trim_newline(&mut bytes);
        match bytes.iter().enumerate().rev().filter(|(_, byte)| **byte == b'\n').nth(lines - 1) {
            Some((newline, _)) => drop(bytes.drain(..=newline)),
            None if start > 0 => return Err(self.too_large(&inside)),
            None => {}
        }
        text(&inside, bytes)
    }

    fn open_file(&self, path: &str) -> Result<(Inside, File), FileError> {
        let inside = self.root.inside(path)?;
        let opened = self.root.open_to_read(&inside);
        let file = File::from(opened.map_err(|errno| inside.error("read", errno))?);
        let metadata = file.metadata().map_err(|error| inside.error("read", error))?;
        if !metadata.is_file() {
            return Err(FileError::NotAFile { path: inside.spelled });
        }
        Ok((inside, file))
    }

    /// As much as fits into an answer, and one byte more where there is more. A file of `/proc` says nothing true about
    /// its length, so nobody is asked for it.
    fn read_window(&self, inside: &Inside, file: &mut File) -> Result<Vec<u8>, FileError> {
        let mut bytes = Vec::new();
        let window = self.limits.max_text_bytes as u64 + 1;
        io::Read::take(file, window)
            .read_to_end(&mut bytes)
            .map_err(|error| inside.error("read", error))?;
        Ok(bytes)
    }

    fn too_large(&self, inside: &Inside) -> FileError {
        let max_text_bytes = self.limits.max_text_bytes;
        FileError::FileTooLarge { path: inside.spelled.clone(), max_text_bytes }
    }
}

fn text(inside: &Inside, bytes: Vec<u8>) -> Result<String, FileError> {
    String::from_utf8(bytes).map_err(|_| FileError::NotText { path: inside.spelled.clone() })
}

/// The end of the last line isn't the start of another one.
fn trim_newline(bytes: &mut Vec<u8>) {
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    }
}
