"""Plant defects in the library, one at a time, and count how many of them the tests notice.

    python -m tests.support.mutants --sample 300 --seed 1
    python -m tests.support.mutants engine --sample 60 --seed 1

The defects of the library come from mutmut's operators (a number plus one, `<` for `<=`, an argument left out, a value
replaced by None, and so on). mutmut itself changes neither decorated functions nor formulas outside of functions, and
the library has many of both, so this driver applies the operators to every expression. It works on copies of the
repository:

1. Every test runs once under coverage, which tells the lines that it executes and the seconds that it takes. The
   answer is kept in `out/mutants`, per test file, until the file changes (`records`).
2. A seeded sample of places is drawn from all parts of the library, or from one, and one defect for each (`places`).
3. For each defect the tests that execute the changed line run in a process of their own, the quickest first, until one
   fails. A test that takes much longer than it did is stopped, which counts as noticed (`verdicts`). Verdicts are kept
   until the library or a test changes, so that a run that was stopped goes on where it was.
4. A defect that no test can notice is one of the reviewed table `equivalents`.

The exit code is 0 if the share of noticed defects reaches the target of every part, else 1.
"""
