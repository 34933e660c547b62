export const helpText = `Usage: bacopa <command> [options]

Commands
  save <url|file|->...   save pages: clean, cut, distill, check and index them
  refresh <pageId>...    read saved pages again; unchanged sections keep their facts
  search <query>         find facts by words and by meaning
  passage <factId>       the page's own text behind a fact
  pages                  the saved pages
  page <pageId>          a page's brief, sections, facts and what was left out
  text <pageId>          a page's cleaned Markdown, exactly what spans point into
  remove <pageId>        forget a page
  reindex                build the index anew from the saved pages
  sections <url|file>    how a page would be cut, without saving it
  mcp                    serve the library to agents over stdin and stdout
  demo [url|file]...     save the sample pages (or yours) and ask three questions

Everywhere
  --library DIR          default: $BACOPA_LIBRARY, else ~/.bacopa/library
  --json                 results as JSON, one object a line
  --embedder NAME        docs-static (default) or none
  --verbose              tell more on stderr

save
  --url URL              the address of a page read from a file or from stdin
  --distiller NAME       auto (default), anthropic, offline
  --model ID             the Anthropic model
  --strategy NAME        facts (default) or headings
  --force                distill every section again, also unchanged ones
  --allow-private        allow loopback and private network addresses

search
  --limit N              hits, 1 to 50 (default 5)
  --max-tokens N         budget for all hits together
  --mode NAME            hybrid (default), words, meaning

Environment: ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL, BACOPA_LIBRARY.
Exit codes: 0 done, 1 failed with a reason, 2 wrong usage.`;
