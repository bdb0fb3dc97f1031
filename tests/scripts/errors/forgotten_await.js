// Starts a call and forgets it. It fails while the script is done already, and that isn't lost.
tools.files.read_text_file({ path: "none.txt" });
return "done";
