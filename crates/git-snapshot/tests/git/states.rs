//! States of a working tree and of the index.

use crate::lab::states;

mod plain {
    super::states! {
        clean: "base";
        modified: "base; echo x >> a";
        modified_same_size: "base; tr 1 2 < a > t; cat t > a; rm t";
        touched_only: "base; touch a b d/x";
        staged: "base; echo x >> a; git add a";
        staged_and_modified: "base; echo x >> a; git add a; echo y >> a";
        staged_and_reverted: "base; cp a k; echo x >> a; git add a; cat k > a; rm k";
        added: "base; echo n > n; git add n";
        added_and_modified: "base; echo n > n; git add n; echo m >> n";
        added_and_deleted: "base; echo n > n; git add n; rm n";
        deleted: "base; rm a d/e/y";
        deleted_staged: "base; git rm -q a";
        deleted_staged_but_there: "base; git rm -q --cached a";
        deleted_directory: "base; rm -r d";
        deleted_directory_staged: "base; git rm -rq d";
        everything_deleted: "base; rm -r a b d";
        everything_deleted_staged: "base; git rm -rq .";
        emptied: "base; : > a";
        emptied_staged: "base; : > a; git add a";
        racy: "base; echo 1 > r; git add r; echo 2 > r";
        racy_same: "base; echo 1 > r; git add r; git commit -qm r; echo 1 > r";
        index_smudged: "base; echo 1 > r; git add r; echo 2 > r; git update-index --refresh || true; git add a";
        empty_file_added: "base; : > e; git add e";
        no_index: "base; rm .git/index";
        stat_info_lost: "base; git read-tree HEAD";
        stat_info_lost_and_modified: "base; git read-tree HEAD; echo x >> a";
        all_times_moved: "base; find . -path ./.git -prune -o -type f -exec touch {} +";
        unborn: "git init -q -b main .";
        unborn_with_files: "git init -q -b trunk .; mkdir d; echo 1 > a; echo 2 > d/b";
        unborn_staged: "git init -q -b main .; mkdir d; echo 1 > a; echo 2 > d/b; git add -A; echo 3 >> a";
        detached: "base; echo 2 > n; commit two; git checkout -q HEAD~1";
        detached_on_tag: "base; git tag v1; git checkout -q v1";
        tag_named_as_branch: "base; git tag main";
        branch_with_slashes: "base; git checkout -q -b feat/deep/x";
        many_commits: "base; for i in 1 2 3 4 5 6 7; do git commit -q --allow-empty -m \"c $i\"; done";
        subject_of_two_lines: "base; git commit -q --allow-empty -m 'one\ntwo\n\nbody'";
        empty_message: "base; git commit -q --allow-empty --allow-empty-message -m ''";
        merge_with_equal_dates: "base; git checkout -q -b x; echo x > x; commit x; git checkout -q -b y main; echo y > y; commit y; git checkout -q -b z main; echo z > z; commit z; git merge -q x y -m octopus";
        latin1_commit: "base; git -c i18n.commitEncoding=latin1 commit -q --allow-empty -m \"$(printf 'caf\\351')\"";
        in_the_middle_of_a_rebase: "base; git checkout -q -b x; echo x > a; commit x; git checkout -q main; echo y > a; commit y; git checkout -q x; git rebase -q main || true";
    }
}

mod untracked {
    super::states! {
        file: "base; echo n > n";
        files_sorted: "base; touch z n.x n-x n0 N; mkdir n; touch n/f";
        directory_collapsed: "base; mkdir -p gen/x; for i in 1 2 3; do touch gen/x/$i; done";
        in_tracked_directory: "base; touch d/n d/e/n; mkdir d/u; touch d/u/f";
        empty_directory: "base; mkdir -p e/f/g";
        nested_empty_and_file: "base; mkdir -p e/f/g h/i; touch h/i/f";
        all: "base; git config status.showUntrackedFiles all; mkdir -p e/f d/u; touch e/f/1 e/2 d/u/3";
        no: "base; git config status.showUntrackedFiles no; touch n; echo x >> a; rm -r d";
        as_a_boolean: "base; git config status.showUntrackedFiles false; touch n";
        symlink: "base; ln -s a l; ln -s d ld; ln -s nowhere ln";
        symlink_in_directory: "base; mkdir u; ln -s ../a u/l";
        fifo: "base; mkfifo p; mkdir u; mkfifo u/p";
        fifo_and_file: "base; mkdir u; mkfifo u/p; touch u/f";
        only_ignored_and_empty: "base; echo '*.o' > .git/info/exclude; mkdir -p lib/empty; touch lib/x.o";
        only_ignored: "base; echo '*.o' > .git/info/exclude; mkdir -p lib/deep; touch lib/x.o lib/deep/y.o";
        nested_repository: "base; git init -q nest; touch nest/f";
        nested_repository_with_commit: "base; git init -q nest; cd nest; touch f; commit n";
        nested_repository_empty: "base; git init -q nest";
        nested_repository_deep: "base; mkdir p; git init -q p/nest; touch p/f";
        nested_repository_only_deep: "base; mkdir -p p/q; git init -q p/q/nest";
        nested_repository_in_tracked_directory: "base; git init -q d/nest; touch d/nest/f";
        nested_repository_all: "base; git config status.showUntrackedFiles all; mkdir p; git init -q p/nest; touch p/f p/nest/g";
        nested_repository_ignored: "base; echo nest > .git/info/exclude; git init -q nest; touch nest/f";
        nested_broken_repository: "base; mkdir -p n/.git; touch n/f n/.git/x";
        nested_gitfile_to_nowhere: "base; mkdir n; echo 'gitdir: /nowhere' > n/.git; touch n/f";
        tracked_repository_files: "base; git init -q d; touch d/new";
        moved_in_a_directory: "base; mv d/e/y d/e/n";
        all_of_a_directory_moved: "base; mv d dd";
        file_becomes_directory: "base; rm a; mkdir a; touch a/f";
        file_becomes_directory_all: "base; git config status.showUntrackedFiles all; rm a; mkdir a; touch a/f";
        file_becomes_empty_directory: "base; rm a; mkdir a";
        file_becomes_repository: "base; rm a; git init -q a";
        file_becomes_repository_with_commit: "base; rm a; git init -q a; cd a; touch f; commit n";
        directory_becomes_file: "base; rm -r d; echo 1 > d";
        directory_becomes_symlink: "base; mv d k; ln -s k d";
        directory_becomes_symlink_outside: "base; mv d \"$OUT/k\"; ln -s \"$OUT/k\" d";
        inner_directory_becomes_symlink: "base; mkdir k; mv d/e/y k/y; rmdir d/e; ln -s ../k d/e";
        git_dir_inside_by_another_name: "git init -q -b main --separate-git-dir repo.git .; touch f; git add f; git commit -qm one";
    }
}

mod ignored {
    super::states! {
        by_root_file: "base; printf '*.log\\n/build/\\n' > .gitignore; touch x.log d/y.log; mkdir build d/build; touch build/f d/build/f";
        by_deep_file: "base; echo '*.o' > d/.gitignore; touch d/x.o d/e/y.o z.o";
        negated: "base; printf '*.log\\n!keep.log\\n' > .gitignore; touch x.log keep.log d/keep.log";
        negated_below: "base; echo '*.log' > .gitignore; echo '!keep.log' > d/.gitignore; touch keep.log d/keep.log d/x.log";
        negated_in_ignored_directory: "base; printf 'build\\n!build/keep\\n' > .gitignore; mkdir build; touch build/keep";
        directory_only: "base; echo 'x/' > .gitignore; touch x; mkdir d/e/x; touch d/e/x/f";
        anchored: "base; echo '/n' > .gitignore; touch n d/n";
        with_slash: "base; echo 'd/n' > .gitignore; mkdir -p d/d; touch d/n d/d/n";
        double_star: "base; printf '**/gen/*.c\\nd/**/t\\n' > .gitignore; mkdir -p d/gen d/q/r; touch d/gen/x.c d/gen/x.h d/q/r/t d/t";
        trailing_spaces: "base; printf 'n \\nm\\\\ \\n' > .gitignore; touch n m 'm '";
        comment_and_escape: "base; printf '#n\\n\\\\#m\\n\\\\!k\\n' > .gitignore; touch '#n' '#m' '!k'";
        crlf_ignore_file: "base; printf '*.log\\r\\n' > .gitignore; touch x.log";
        bom_ignore_file: "base; printf '\\357\\273\\277*.log\\n' > .gitignore; touch x.log";
        brackets: "base; printf '[a-c]1\\n[!x]2\\n' > .gitignore; touch a1 d1 x2 y2";
        info_exclude: "base; echo secret > .git/info/exclude; touch secret d/secret other";
        excludes_file: "base; echo '*.bak' > \"$OUT/ig\"; git config core.excludesFile \"$OUT/ig\"; touch x.bak";
        excludes_file_from_home: "base; echo '*.bak' > \"$HOME/ig\"; git config --global core.excludesFile '~/ig'; touch x.bak y";
        default_excludes_file: "base; mkdir -p \"$HOME/.config/git\"; echo '*.swp' > \"$HOME/.config/git/ignore\"; touch x.swp y";
        exclude_beats_excludes_file: "base; echo '*.bak' > \"$OUT/ig\"; git config core.excludesFile \"$OUT/ig\"; echo '!x.bak' > .git/info/exclude; touch x.bak y.bak";
        but_tracked: "base; echo '*' > .gitignore; git add -f .gitignore; echo x >> a; touch n";
        tracked_directory: "base; echo 'd' > .gitignore; touch d/n d/e/n; echo x >> d/x";
        tracked_in_ignored_then_modified: "base; mkdir v; echo 1 > v/f; echo v/ > .gitignore; git add -f v/f .gitignore; git commit -qm v; echo 2 > v/f; touch v/n";
        everything_but: "base; printf '/*\\n!/src\\n' > .gitignore; mkdir src other; touch src/f other/f";
        symlinked_ignore_file: "base; echo '*.log' > \"$OUT/ig\"; ln -s \"$OUT/ig\" .gitignore; touch x.log";
        ignore_file_is_a_directory: "base; mkdir .gitignore; touch x .gitignore/f";
        ignored_directory_with_ignore_file: "base; echo build > .gitignore; mkdir build; echo '!*' > build/.gitignore; touch build/f";
        untracked_directory_with_ignore_file: "base; mkdir u; printf '*\\n!.gitignore\\n' > u/.gitignore; touch u/f";
        untracked_directory_ignoring_itself: "base; mkdir u; echo '*' > u/.gitignore; touch u/f";
        ignore_case: "base; git config core.ignoreCase true; echo '*.LOG' > .gitignore; touch x.log";
    }
}
