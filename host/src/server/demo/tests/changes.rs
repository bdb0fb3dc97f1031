//! Writing, creating and moving.

use super::*;

#[tokio::test]
async fn a_link_that_stays_inside_is_read_through_and_not_written_through() {
    let server = Fixture::new().await;
    fs::create_dir(server.path("sub")).unwrap();
    server.write("sub/file", "text");
    symlink("sub/file", server.path("link")).unwrap();
    symlink("sub", server.path("folder")).unwrap();

    let told = server.error("write_file", json!({ "path": "link", "content": "new" })).await;
    assert!(told.contains("link is a symbolic link"), "{told}");

    // Where the kernel can't promise to stay inside, links aren't followed at all.
    #[cfg(target_os = "linux")]
    {
        assert_eq!(server.ok("read_text_file", json!({ "path": "link" })).await, "text");
        server.ok("write_file", json!({ "path": "folder/file", "content": "new" })).await;
        assert_eq!(fs::read_to_string(server.path("sub/file")).unwrap(), "new");
    }
}

#[tokio::test]
async fn a_file_is_written_whole_and_keeps_its_permissions() {
    let server = Fixture::new().await;
    server.write("script", "old and longer");
    fs::set_permissions(server.path("script"), fs::Permissions::from_mode(0o750)).unwrap();

    let told = server.ok("write_file", json!({ "path": "script", "content": "new" })).await;
    server.ok("write_file", json!({ "path": "fresh", "content": "" })).await;

    assert_eq!(told, "Successfully wrote to script");
    assert_eq!(fs::read_to_string(server.path("script")).unwrap(), "new");
    let mode = fs::metadata(server.path("script")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o750);
    let list = server.ok("list_directory", json!({ "path": "." })).await;
    assert_eq!(list, "[FILE] fresh\n[FILE] script");
}

#[tokio::test]
async fn what_cannot_be_written_leaves_nothing_behind() {
    let server = Fixture::new().await;
    fs::create_dir(server.path("folder")).unwrap();

    for (path, told) in [
        ("folder", "folder isn't a regular file"),
        (".", ". is the served folder itself; name something in it"),
        ("none/file", "none/file can't be written: No such file or directory (os error 2)"),
    ] {
        let arguments = json!({ "path": path, "content": "text" });
        assert_eq!(server.error("write_file", arguments).await, told);
    }

    assert_eq!(server.ok("list_directory", json!({ "path": "." })).await, "[DIR] folder");
}

#[tokio::test]
async fn folders_are_created_with_all_that_they_are_in() {
    let server = Fixture::new().await;
    server.write("file", "");

    server.ok("create_directory", json!({ "path": "a/b/c" })).await;
    server.ok("create_directory", json!({ "path": "a/b" })).await;

    assert!(server.path("a/b/c").is_dir());
    let told = server.error("create_directory", json!({ "path": "file/x" })).await;
    assert_eq!(told, "file/x can't be created: Not a directory (os error 20)");
}

#[tokio::test]
async fn a_move_never_replaces_anything() {
    let server = Fixture::new().await;
    fs::create_dir(server.path("sub")).unwrap();
    server.write("a", "a");
    server.write("b", "b");

    server.ok("move_file", json!({ "source": "a", "destination": "sub/c" })).await;
    let taken = server.error("move_file", json!({ "source": "b", "destination": "sub/c" })).await;
    let itself =
        server.error("move_file", json!({ "source": "sub", "destination": "sub/x" })).await;

    assert_eq!(fs::read_to_string(server.path("sub/c")).unwrap(), "a");
    assert_eq!(taken, "sub/c is there already; move that away first");
    assert_eq!(itself, "sub can't be moved: Invalid argument (os error 22)");
}
