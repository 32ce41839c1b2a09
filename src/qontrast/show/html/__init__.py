"""Pages of HTML: parts that all pages share, reports on contrasts, and pages of audits."""
