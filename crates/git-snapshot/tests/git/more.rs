//! States that settings, names, history, submodules and formats bring about.

use crate::lab::states;

mod kinds {
    super::states! {
        file_to_symlink: "base; rm a; ln -s b a";
        file_to_symlink_staged: "base; rm a; ln -s b a; git add a";
        symlink_to_file: "base; ln -s a l; commit l; rm l; echo 1 > l";
        symlink_target_changed: "base; ln -s a l; commit l; rm l; ln -s b l";
        symlink_target_of_other_length: "base; ln -s a l; commit l; rm l; ln -s d/e l";
        symlink_unchanged: "base; ln -s a l; commit l; rm l; ln -s a l";
        symlinks_off: "base; ln -s a l; commit l; rm l; printf a > l; git config core.symlinks false";
        executable_bit: "base; chmod +x a";
        executable_bit_lost: "base; chmod +x a; commit x; chmod -x a";
        executable_bit_staged: "base; chmod +x a; git add a";
        executable_bit_by_index: "base; git update-index --chmod=+x a";
        file_mode_off: "base; git config core.fileMode false; chmod +x a";
        file_to_fifo: "base; rm a; mkfifo a";
        symlink_to_fifo: "base; ln -s a l; commit l; rm l; mkfifo l";
        old_tree_mode: "base; t=$(git ls-tree HEAD | sed 's/100644/100664/' | git mktree 2>/dev/null || git write-tree); git update-ref HEAD $(git commit-tree -m odd $t)";
    }
}

mod names {
    super::states! {
        spaces: "base; echo 1 > 'a b'; git add 'a b'; echo 2 > ' c'";
        quotes_and_backslashes: "base; echo 1 > 'q\"q'; echo 1 > 'b\\b'; git add .";
        non_ascii: "base; echo 1 > 'ä.txt'; git add -A; echo 1 > '日本.txt'";
        non_ascii_plain: "base; git config core.quotePath false; echo 1 > 'ä.txt'; git add -A; echo 1 > '日本 x.txt'";
        invalid_utf8: "base; echo 1 > \"$(printf 'bad\\351name')\"; git add -A; echo 1 > \"$(printf '\\377')\"";
        newline_and_tab: "base; echo 1 > \"$(printf 'two\\nlines')\"; echo 1 > \"$(printf 'ta\\tb')\"; git add -A; echo 2 > \"$(printf 'x\\ny')\"";
        control_characters: "base; for n in 1 2 7 10 13 14 33 177; do echo 1 > \"$(printf \"c\\\\${n}x\")\"; done";
        control_characters_plain: "base; git config core.quotePath false; for n in 1 33 177; do echo 1 > \"$(printf \"c\\\\${n}x\")\"; done";
        rename_with_spaces: "base; git mv a 'a a'";
        directory_with_spaces: "base; mkdir 'u u'; touch 'u u/f'";
        leading_dash_and_dots: "base; touch -- -x ..x ...; mkdir .hid; touch .hid/f";
        from_a_directory in "d": "base; echo x >> a; touch n d/n; echo y >> d/e/y; rm d/x";
        from_a_deep_directory in "d/e": "base; echo x >> a; touch n d/n; git mv b d/bb; echo y >> y";
        from_an_untracked_directory in "u/v": "base; mkdir -p u/v; touch u/v/f; echo x >> a";
        from_an_untracked_directory_itself in "u": "base; mkdir -p u/v; touch u/v/f";
        from_a_directory_with_spaces in "s s": "base; mkdir 's s'; echo 1 > 's s/f'; commit s; echo 2 > 's s/f'; echo 3 >> a";
        not_relative in "d": "base; git config status.relativePaths false; echo x >> a; touch d/n";
        ignore_case_of_tracked: "base; git config core.ignoreCase true; echo n > n; touch d/E";
        ignore_case_of_files: "base; echo 1 > Base; echo 2 > d/Two; commit c; git config core.ignoreCase true; mv Base BASE; mv d/Two d/two; touch d/three";
        deleted_file_at_the_callers_place in "a": "base; rm a; mkdir a";
        deleted_file_above_the_callers_place in "a/b": "base; rm a; mkdir -p a/b";
        long_name: "base; touch $(printf '%0200d' 7)";
        sorted_like_git: "base; for n in d-x d.x d0 dd; do touch $n; done; git add d-x dd; echo x >> d/x";
    }
}

mod moved {
    super::states! {
        head_by_another_name: "base; git branch o; git symbolic-ref refs/heads/al refs/heads/o; git symbolic-ref HEAD refs/heads/al; echo x >> a; touch n";
        head_by_the_name_of_no_branch: "base; git symbolic-ref refs/heads/al refs/heads/none; git symbolic-ref HEAD refs/heads/al; touch n";
        renamed: "base; git mv a z";
        renamed_into_directory: "base; git mv a d/a";
        renamed_and_modified_after: "base; git mv a z; echo x >> z";
        renamed_and_deleted_after: "base; git mv a z; rm z";
        renamed_with_edit: "base; git mv a z; echo x >> z; git add z";
        renamed_with_much_edit: "base; git mv a z; seq 900 960 > z; git add z";
        renamed_just_above_half: "base; seq 1000 1019 > h; commit h; git mv h k; seq 1000 1010 > k; git add k";
        renamed_just_below_half: "base; seq 1000 1019 > h; commit h; git mv h k; seq 1000 1008 > k; git add k";
        renamed_directory: "base; git mv d dd";
        renamed_directory_with_edit: "base; git mv d dd; echo x >> dd/e/y; git add -A";
        swapped: "base; git mv a t; git mv b a; git mv t b";
        two_identical_sources: "base; cp a a2; commit two; git rm -q a a2; seq 1 20 > z; git add z";
        two_identical_targets: "base; git mv a z; cp z z2; git add z2";
        identical_prefers_name: "base; mkdir p q; cp a p/n; cp a q/m; commit two; git rm -q p/n q/m; mkdir -p r; seq 1 20 > r/m; git add r/m";
        similar_prefers_name: "base; mkdir p q; seq 1 50 > p/n; (seq 1 49; echo x) > q/m; commit two; git rm -q p/n q/m; mkdir -p r; (seq 1 49; echo y) > r/m; git add r/m";
        same_name_before_more_similar: "base; mkdir p; seq 1 40 > p/n; seq 1 39 > k; commit two; git rm -q p/n k; mkdir r; seq 1 36 > r/n; seq 1 38 > w; git add r w";
        unique_name_below_its_threshold: "base; mkdir p; seq 1 40 > p/n; commit two; git rm -q p/n; mkdir r; seq 1 24 > r/n; git add r";
        empty_file_renamed: "base; : > e; commit e; git mv e f";
        empty_files: "base; : > e; : > e2; commit e; git mv e f; git rm -q e2; : > g; git add g";
        renamed_with_mode: "base; git mv a z; chmod +x z; git add z";
        symlink_renamed: "base; ln -s a l; commit l; git mv l m";
        symlink_and_file_of_same_content: "base; ln -s abc l; printf abc > f; commit l; git rm -q l f; printf abc > l2; ln -s abc f2; git add -A";
        binary_renamed: "base; head -c 5000 /dev/zero | tr '\\0' '\\1' > bin; printf '\\0' >> bin; commit bin; git mv bin bin2; printf 'x' >> bin2; git add bin2";
        long_lines: "base; for i in 1 2 3 4; do printf \"%0300d\\n\" $i; done > l; commit l; git mv l m; printf '%0300d\\n' 9 >> m; git add m";
        crlf_only_difference: "base; git mv a z; sed 's/$/\\r/' z > t; cat t > z; rm t; git add z";
        off: "base; git config status.renames false; git mv a z";
        off_by_diff: "base; git config diff.renames false; git mv a z";
        on_over_diff: "base; git config diff.renames false; git config status.renames true; git mv a z";
        limit: "base; git config status.renameLimit 1; git mv a z; git mv b y; echo x >> z; echo x >> y; git add -A";
        limit_exact_still: "base; git config status.renameLimit 1; git mv a z; git mv b y; git mv d/x w; echo x >> w; echo x >> y; git add -A";
        limit_by_diff: "base; git config diff.renameLimit 1; git mv a z; git mv b y; echo x >> z; echo x >> y; git add -A";
        copies_exact: "base; git config status.renames copies; cp a c; echo x >> a; git add -A";
        copies_of_unchanged: "base; git config status.renames copies; cp a c; git add -A";
        copies_inexact: "base; git config status.renames copies; cp a c; echo x >> c; echo y >> a; git add -A";
        copies_and_rename: "base; git config status.renames copies; git mv a z; cp z z2; git add z2";
        copies_and_renames_inexact: "base; git config status.renames copies; cp a z1; cp a z2; git rm -q a; echo x >> z1; echo y >> z2; git add -A";
        copies_of_unstaged_change: "base; git config status.renames copies; cp a c; git add c; echo x >> a";
        many_to_many: "base; for i in 1 2 3 4 5 6; do (seq 1 40; echo $i) > m$i; done; commit m; for i in 1 2 3 4 5 6; do git mv m$i n$((7-i)); echo extra$i >> n$((7-i)); done; git add -A";
        replaced_by_directory: "base; git rm -q a; mkdir a; seq 1 20 > a/f; git add -A";
        unstaged_is_no_rename: "base; mv a z";
    }
}

mod intended {
    super::states! {
        to_add: "base; echo n > n; git add -N n";
        to_add_then_deleted: "base; echo n > n; git add -N n; rm n";
        to_add_empty: "base; : > n; git add -N n";
        to_add_executable: "base; echo n > n; chmod +x n; git add -N n";
        renamed_in_the_working_tree: "base; mv a z; git add -N z";
        renamed_and_edited_in_the_working_tree: "base; mv a z; echo x >> z; git add -N z";
        staged_deletion_is_no_source: "base; git mv a z; git rm -q --cached z; git add -N z";
        copied_in_the_working_tree: "base; git config status.renames copies; cp a z; echo x >> a; git add -N z";
        directory: "base; mkdir n; echo 1 > n/f; git add -N n";
    }
}

mod conflicts {
    super::states! {
        both_modified: "base; git checkout -q -b x; echo x > a; commit x; git checkout -q main; echo y > a; commit y; git merge -q x || true";
        both_added: "base; git checkout -q -b x; echo x > n; commit x; git checkout -q main; echo y > n; commit y; git merge -q x || true";
        deleted_by_them: "base; git checkout -q -b x; git rm -q a; commit x; git checkout -q main; echo y > a; commit y; git merge -q x || true";
        deleted_by_us: "base; git checkout -q -b x; echo x > a; commit x; git checkout -q main; git rm -q a; commit y; git merge -q x || true";
        renamed_apart: "base; git checkout -q -b x; git mv a ax; commit x; git checkout -q main; git mv a ay; commit y; git merge -q x || true";
        directory_and_file: "base; git checkout -q -b x; mkdir n; echo 1 > n/f; commit x; git checkout -q main; echo y > n; commit y; git merge -q x || true";
        file_and_directory: "base; git checkout -q -b x; echo 1 > n; commit x; git checkout -q main; mkdir n; echo y > n/f; commit y; git merge -q x || true";
        in_a_directory: "base; git checkout -q -b x; echo x > d/e/y; commit x; git checkout -q main; echo y > d/e/y; commit y; git merge -q x || true; touch d/n";
        and_then_removed: "base; git checkout -q -b x; echo x > a; commit x; git checkout -q main; echo y > a; commit y; git merge -q x || true; rm a";
        and_then_resolved: "base; git checkout -q -b x; echo x > a; commit x; git checkout -q main; echo y > a; commit y; git merge -q x || true; echo z > a; git add a";
        with_staged_others: "base; git checkout -q -b x; echo x > a; echo x > b; commit x; git checkout -q main; echo y > a; commit y; git merge -q x || true; echo more >> b";
        stash_popped: "base; echo x > a; git stash -q; echo y > a; commit y; git stash pop -q || true";
        cherry_picked: "base; git checkout -q -b x; echo x > a; commit x; git checkout -q main; echo y > a; commit y; git cherry-pick x || true";
        only_the_base: "base; printf '100644 %s 1\\tq\\n' $(git rev-parse HEAD:a) | git update-index --index-info";
        only_ours: "base; printf '100644 %s 2\\tq\\n' $(git rev-parse HEAD:a) | git update-index --index-info; echo q > q";
        only_theirs: "base; printf '100644 %s 3\\tq\\n' $(git rev-parse HEAD:a) | git update-index --index-info";
        symlinks: "base; ln -s 0 l; commit l; git checkout -q -b x; ln -sf 1 l; commit x; git checkout -q main; ln -sf 2 l; commit y; git merge -q x || true";
    }
}

mod flags {
    super::states! {
        skip_worktree_deleted: "base; git update-index --skip-worktree a; rm a";
        skip_worktree_modified: "base; git update-index --skip-worktree a; echo x >> a";
        assume_unchanged_deleted: "base; git update-index --assume-unchanged a; rm a";
        assume_unchanged_modified: "base; git update-index --assume-unchanged a; echo x >> a";
        assume_unchanged_staged: "base; echo x >> a; git add a; git update-index --assume-unchanged a; echo y >> a";
        sparse_cone: "base; git sparse-checkout set --cone d/e 2>/dev/null";
        sparse_cone_with_changes: "base; git sparse-checkout set --cone d/e 2>/dev/null; echo x >> d/e/y; touch n d/n";
        sparse_patterns: "base; git sparse-checkout set --no-cone '/a' 2>/dev/null; echo x >> a";
        sparse_with_present_file: "base; git sparse-checkout set --no-cone '/a' 2>/dev/null; echo 1 > b";
        sparse_with_present_unchanged_file: "base; git sparse-checkout set --no-cone '/a' 2>/dev/null; seq 101 130 > b";
        sparse_with_expected_outside: "base; git config sparse.expectFilesOutsideOfPatterns true; git sparse-checkout set --no-cone '/a' 2>/dev/null; echo 1 > b";
        sparse_ignore_file: "base; echo '*.log' > d/.gitignore; commit i; git sparse-checkout set --no-cone '/a' 2>/dev/null; mkdir -p d; touch d/x.log d/n";
        sparse_index: "base; mkdir -p f/g h; seq 3 > f/g/1; seq 4 > h/2; commit f; git sparse-checkout set --cone --sparse-index d/e 2>/dev/null; echo x >> d/e/y";
        sparse_index_staged: "base; mkdir -p f/g h; seq 3 > f/g/1; seq 4 > h/2; commit f; git sparse-checkout set --cone --sparse-index d/e 2>/dev/null; echo x >> d/e/y; git add d/e/y; git commit -qm w; echo z >> d/e/y; git add d/e/y";
        sparse_index_reset_inside: "base; mkdir -p f/g h; seq 3 > f/g/1; seq 4 > h/2; commit f; seq 5 > f/g/1; git rm -q h/2; commit f2; git sparse-checkout set --cone --sparse-index d/e 2>/dev/null; git reset -q --soft HEAD~1";
        sparse_index_with_present_directory: "base; mkdir -p f/g h; seq 3 > f/g/1; seq 4 > f/g/2; commit f; git sparse-checkout set --cone --sparse-index d/e 2>/dev/null; mkdir -p f/g; seq 3 > f/g/1; seq 9 > f/g/2; touch f/n";
    }
}

mod formats {
    super::states! {
        index_version_2: "base; git update-index --index-version 2; echo x >> a; touch n";
        index_version_3: "base; git update-index --index-version 3; touch n; git add -N n";
        index_version_4: "base; git update-index --index-version 4; echo x >> d/e/y; touch n";
        split_index: "base; git config core.splitIndex true; git update-index --split-index; echo x >> a; git add a; touch n; git rm -q b";
        untracked_cache: "base; git config core.untrackedCache true; touch n; GIT_OPTIONAL_LOCKS=1 git status >/dev/null; touch m; mkdir u; touch u/f";
        many_files: "base; git config feature.manyFiles true; GIT_OPTIONAL_LOCKS=1 git status >/dev/null; echo x >> a; git add a";
        skip_hash: "base; git config index.skipHash true; echo x >> a; git add a";
        sha256: "git init -q --object-format=sha256 -b main .; seq 9 > a; commit one; echo x >> a; git add a; git mv a b; touch n";
        shallow: "git init -q -b main \"$OUT/s\"; cd \"$OUT/s\"; for i in 1 2 3; do echo $i > f; commit $i; done; cd ..; git clone -q --depth 2 \"file://$OUT/s\" c; cp -r c/. \"$OLDPWD/../../r/\"; cd ../r; echo x >> f";
        partial_clone: "git init -q -b main \"$OUT/s\"; cd \"$OUT/s\"; git config uploadpack.allowFilter true; for i in 1 2 3; do seq $i 40 > f; commit $i; done; cd ../../r; git clone -q --filter=blob:none \"file://$OUT/s\" . ; echo x >> f; git add f; touch n";
        packed: "base; git gc -q; echo x >> a; git add a; git pack-refs --all";
        commit_graph: "base; for i in 1 2 3; do git commit -q --allow-empty -m $i; done; git commit-graph write 2>/dev/null";
        replace_ref: "base; echo 2 > a; commit two; git replace HEAD $(git commit-tree -p HEAD~1 -m replaced HEAD^{tree})";
        alternates: "git init -q -b main \"$OUT/s\"; cd \"$OUT/s\"; echo 1 > f; commit 1; cd ../../r; git clone -q --shared \"$OUT/s\" .; echo x >> f";
        separate_git_dir: "git init -q -b main --separate-git-dir \"$OUT/g\" .; echo 1 > f; commit 1; echo 2 > f; touch n";
        worktree_config: "base; git config core.worktree \"$(pwd)\"; touch n";
        linked_worktree in "../out/w": "base; git worktree add -q \"$OUT/w\" -b w 2>/dev/null; cd \"$OUT/w\"; echo x >> a; touch n";
        linked_worktree_inside in "w": "base; git worktree add -q w 2>/dev/null; cd w; echo x >> a";
        seen_from_around_a_linked_worktree: "base; git worktree add -q w 2>/dev/null; echo x >> a";
        linked_worktree_of_a_bare in "w": "git init -q -b main --bare .git; git --git-dir=.git worktree add -q --orphan -b w w; cd w; echo 1 > f";
        worktree_specific_config in "../out/w": "base; git worktree add -q \"$OUT/w\" -b w 2>/dev/null; git config extensions.worktreeConfig true; cd \"$OUT/w\"; git config --worktree status.showUntrackedFiles no; touch n";
        core_abbrev: "base; git config core.abbrev 12";
        core_abbrev_no: "base; git config core.abbrev no; git checkout -q --detach";
    }
}

mod filters {
    super::states! {
        autocrlf: "git init -q -b main .; git config core.autocrlf true; printf 'a\\r\\nb\\r\\n' > f; printf 'a\\nb\\n' > g; commit 1 2>/dev/null; touch f g";
        autocrlf_modified: "git init -q -b main .; git config core.autocrlf true; printf 'a\\r\\nb\\r\\n' > f; commit 1 2>/dev/null; printf 'a\\nb\\n' > f";
        autocrlf_same_size: "git init -q -b main .; git config core.autocrlf true; printf 'a\\r\\nb\\r\\n' > f; commit 1 2>/dev/null; printf 'x\\r\\nb\\r\\n' > f";
        autocrlf_with_crlf_in_index: "git init -q -b main .; printf 'a\\r\\nb\\r\\n' > f; commit 1; git config core.autocrlf true; touch f";
        autocrlf_input: "git init -q -b main .; git config core.autocrlf input; printf 'a\\nb\\n' > f; commit 1; printf 'a\\r\\nb\\r\\n' > f";
        eol_attribute: "git init -q -b main .; echo '*.t eol=crlf' > .gitattributes; printf 'a\\nb\\n' > f.t; commit 1 2>/dev/null; rm f.t; git checkout -q f.t; touch f.t";
        text_attribute: "git init -q -b main .; printf 'a\\r\\n' > f; commit 1; echo '* text' > .gitattributes; touch f";
        binary_attribute: "git init -q -b main .; git config core.autocrlf true; echo '*.b binary' > .gitattributes; printf 'a\\r\\n' > f.b; commit 1; touch f.b";
        info_attributes: "git init -q -b main .; printf 'a\\r\\n' > f; commit 1; echo 'f text' > .git/info/attributes; touch f";
        attributes_file_from_home: "git init -q -b main .; printf 'a\\r\\n' > f; commit 1; mkdir -p \"$HOME/.config/git\"; echo 'f text' > \"$HOME/.config/git/attributes\"; touch f";
        attributes_file_by_setting: "git init -q -b main .; printf 'a\\r\\n' > f; commit 1; echo 'f text' > \"$OUT/at\"; git config core.attributesFile \"$OUT/at\"; touch f";
        attributes_in_directory: "git init -q -b main .; mkdir d; printf 'a\\r\\n' > d/f; commit 1; echo 'f text' > d/.gitattributes; touch d/f";
        attributes_only_in_index: "git init -q -b main .; mkdir d; echo '* text' > d/.gitattributes; printf 'a\\r\\n' > d/f; commit 1 2>/dev/null; rm d/.gitattributes; touch d/f";
        ident: "git init -q -b main .; echo '*.c ident' > .gitattributes; echo '$Id$' > f.c; commit 1; rm f.c; git checkout -q f.c; touch f.c";
        working_tree_encoding: "git init -q -b main .; echo '*.u working-tree-encoding=UTF-16LE' > .gitattributes; printf 'a\\0b\\0' > f.u; commit 1; touch f.u";
        filter_without_a_command: "git init -q -b main .; echo '* filter=none' > .gitattributes; echo 1 > f; commit 1; touch f; echo 2 > g";
        safecrlf: "git init -q -b main .; printf 'a\\nb\\n' > f; commit 1; git config core.autocrlf true; git config core.safecrlf true; printf 'a\\nb\\r\\n' > f; touch f";
    }
}

mod settings {
    super::states! {
        looks_do_not_matter: "base; git config color.ui always; git config status.branch true; git config log.showSignature true; git config column.ui always; git config status.short false; git config log.decorate full; git config status.showStash true; touch 1 2 3; echo x >> a";
        from_an_include: "base; printf '[status]\\nshowUntrackedFiles = no\\n' > .git/more; git config include.path more; touch n";
        from_an_include_in_home: "base; printf '[status]\\nshowUntrackedFiles = no\\n' > \"$HOME/more\"; git config --global include.path '~/more'; touch n";
        from_a_conditional_include: "base; printf '[status]\\nshowUntrackedFiles = no\\n' > \"$HOME/more\"; git config --global includeIf.gitdir:**/r/.path '~/more'; touch n";
        from_an_include_for_a_branch: "base; printf '[status]\\nshowUntrackedFiles = no\\n' > \"$HOME/more\"; git config --global includeIf.onbranch:main.path '~/more'; touch n";
        the_repository_wins: "base; git config --global status.showUntrackedFiles no; git config status.showUntrackedFiles all; mkdir u; touch u/n";
        from_xdg: "base; mkdir -p \"$HOME/.config/git\"; printf '[status]\\nshowUntrackedFiles = no\\n' > \"$HOME/.config/git/config\"; touch n";
        trust_ctime_off: "base; git config core.trustctime false; chmod 600 a; touch -d 2020-01-01T00:00:00 a";
        check_stat_minimal: "base; git config core.checkStat minimal; cp a t; mv t a; old a";
    }
}

mod submodules {
    /// Adds a submodule `lib` with one commit.
    const WITH_LIB: &str = "git init -q -b main \"$OUT/lib\"; (cd \"$OUT/lib\"; seq 9 > f; commit lib); base; git -c protocol.file.allow=always submodule --quiet add \"$OUT/lib\" lib; git commit -qm sub; ";

    macro_rules! submodules {
        ($($name:ident: $script:expr;)*) => { $(
            #[test]
            fn $name() {
                crate::lab::same_in("", &format!("{WITH_LIB}{}", $script));
            }
        )* };
    }

    submodules! {
        clean: "true";
        untracked_inside: "touch lib/n";
        modified_inside: "echo x >> lib/f";
        modified_and_untracked_inside: "echo x >> lib/f; touch lib/n";
        staged_inside: "echo x >> lib/f; git -C lib add f";
        new_commit: "(cd lib; echo x >> f; commit two)";
        new_commit_staged: "(cd lib; echo x >> f; commit two); git add lib";
        new_commit_and_dirt: "(cd lib; echo x >> f; commit two; echo y >> f)";
        removed: "rm -rf lib";
        removed_staged: "git rm -q lib";
        not_initialised: "git submodule --quiet deinit -f lib";
        replaced_by_file: "rm -rf lib; echo 1 > lib";
        ignore_all: "git config submodule.lib.ignore all; echo x >> lib/f; (cd lib; commit two)";
        ignore_all_but_staged: "git config submodule.lib.ignore all; (cd lib; echo x >> f; commit two); git add -f lib";
        ignore_dirty: "git config submodule.lib.ignore dirty; echo x >> lib/f; touch lib/n";
        ignore_untracked: "git config submodule.lib.ignore untracked; touch lib/n";
        ignore_untracked_but_modified: "git config submodule.lib.ignore untracked; touch lib/n; echo x >> lib/f";
        ignore_in_gitmodules: "git config -f .gitmodules submodule.lib.ignore dirty; git add .gitmodules; git commit -qm ign; touch lib/n";
        ignore_overridden: "git config -f .gitmodules submodule.lib.ignore all; git config submodule.lib.ignore none; touch lib/n";
        ignore_by_diff_setting: "git config diff.ignoreSubmodules dirty; touch lib/n; echo x >> lib/f";
        ignore_all_by_diff_setting: "git config diff.ignoreSubmodules all; (cd lib; echo x >> f; commit two)";
        ignore_none_over_diff_setting: "git config diff.ignoreSubmodules all; git config submodule.lib.ignore none; touch lib/n";
        no_untracked: "git config status.showUntrackedFiles no; touch lib/n";
        no_untracked_inside: "git -C lib config status.showUntrackedFiles no; touch lib/n";
        renamed: "git mv lib bib";
        without_gitmodules: "git rm -q --cached .gitmodules; rm .gitmodules; touch lib/n";
        nested_untracked: "git init -q -b main \"$OUT/in\"; (cd \"$OUT/in\"; seq 9 > g; commit in); (cd lib; git -c protocol.file.allow=always submodule --quiet add \"$OUT/in\" in; git commit -qm in); git add lib; git commit -qm up; touch lib/in/n";
        nested_modified: "git init -q -b main \"$OUT/in\"; (cd \"$OUT/in\"; seq 9 > g; commit in); (cd lib; git -c protocol.file.allow=always submodule --quiet add \"$OUT/in\" in; git commit -qm in); git add lib; git commit -qm up; echo x >> lib/in/g";
        conflict: "git checkout -q -b x; (cd lib; echo x >> f; commit x); git add lib; git commit -qm x; git checkout -q main; (cd lib; git checkout -q HEAD~1; echo y >> f; commit y); git add lib; git commit -qm y; git merge -q x 2>/dev/null || true";
        gitlink_of_a_plain_repository: "git init -q nest; (cd nest; touch f; commit n); git add nest 2>/dev/null; echo x >> nest/f";
        gitlink_with_head_unborn: "rm -rf lib; git init -q -b main lib; touch lib/n";
        seen_from_inside: "true";
    }
}
