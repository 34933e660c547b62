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
  questions              have a model write test questions from the saved pages
  judge [pageId]...      have a model score facts against their sections
  advise                 which strategy, size and overlap fit the saved pages
  eval                   compare facts and the ways to cut pages on your pages or a corpus
  mcp                    serve the library to agents over stdin and stdout
  demo [url|file]...     save the sample pages (or yours) and ask three questions

Everywhere
  --library DIR          default: $BACOPA_LIBRARY, else ~/.bacopa/library
  --json                 results as JSON, one object a line
  --embedder WHICH       who ranks by meaning; default: $BACOPA_EMBEDDER, else docs-static
                           docs-static      the built-in table: no model, no network
                           none             words alone
                           onnx:DIR         a model on this machine (model.onnx and tokenizer.json)
                           URL#MODEL        an OpenAI-compatible endpoint, as in
                                            http://localhost:11434/v1#nomic-embed-text;
                                            the texts of facts and queries are sent there
  --meaning-weight W     0 to 1, for a model of yours; words weigh 1 (default 0.5)
  --verbose              tell more on stderr

save
  --url URL              the address of a page read from a file or from stdin
  --distiller NAME       auto (default), anthropic, offline
  --model ID             the Anthropic model
  --strategy NAME        facts (default); or sections as they are: fixed, recursive, sentence, semantic,
                         headings, parent-document, late; with a model: contextual, propositions, agentic.
                         Sizes follow the name: recursive:512:64, fixed:1000c (also for sections)
  --force                distill every section again, also unchanged ones
  --allow-private        allow loopback and private network addresses

search
  --limit N              hits, 1 to 50 (default 5)
  --max-tokens N         budget for all hits together
  --mode NAME            hybrid (default), words, meaning

questions, judge (both need ANTHROPIC_API_KEY)
  --count N              questions to write (default 50)
  --output FILE          where they go (default: kept in the library); --force replaces it
  --check FILE           check questions written by hand instead: evidence and nuggets
  --sample N             sections to judge (default 50)
  --seed N               draw others (default 1)

advise
  --mix LIST             expected questions, e.g. factoid=6,analytical=3,multihop=1
  --questions FILE       or their shares from a question file
  --results FILE         measured with eval --json; default: the last eval of the library
  --changes RATE         rarely (default), monthly, daily, minutes
  --quotes               answers must quote the page's own wording
  --strategy NAME        what you have in mind, with --size, --overlap, --min, --max in tokens

eval
  --corpus DIR           a corpus with manifest.json, or any folder of .md and .html files; else the library is measured
  --questions FILE       one JSON question a line; default: the corpus' or library's own, else the facts' own questions
  --strategies A,B       default: all
  --ablations            also facts with parts of what is searched left out, and other rankings
  --distractors          a corpus' distractor pages are in the pool
  --returned FORM        what counts against token budgets: facts, briefs (default), rendered
  --report FILE.html     write the report: tables and plots in one file
  --model ID             the Anthropic model of strategies that a model writes (with ANTHROPIC_API_KEY)
  --max-cost USD         no model call begins after this much is spent (default 1)
  --answers DIR          where model answers are kept for the next run (default ~/.bacopa/answers)

Environment: ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL, BACOPA_LIBRARY, BACOPA_EMBEDDER,
BACOPA_EMBEDDINGS_KEY (for the endpoint).
Exit codes: 0 done, 1 failed with a reason, 2 wrong usage.`;
