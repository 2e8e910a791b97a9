// .vitepress/config.ts
import { defineConfig } from "file:///work/rooms/lines/site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.61.0_postcss@8.5.32_search-insights@2.17.3_typescript@5.9.3/node_modules/vitepress/dist/node/index.js";

// .vitepress/repository.ts
import { readFileSync as readFileSync2 } from "node:fs";
import { join as join2 } from "node:path";

// links.ts
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, extname, join, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
var __vite_injected_original_import_meta_url = "file:///work/rooms/lines/site/links.ts";
var root = fileURLToPath(new URL("../", __vite_injected_original_import_meta_url));
var pages = fileURLToPath(new URL("pages/", __vite_injected_original_import_meta_url));
var isRelative = (href) => !/^([a-z]+:|\/|#)/.test(href);
var inRepository = (file) => relative(root, file).split(sep).join(posix.sep);
var fileOf = (from, { href }) => {
  if (!isRelative(href)) return void 0;
  const file = join(dirname(from), href.replace(/[?#].*$/, ""));
  return file.startsWith(pages) ? void 0 : inRepository(file);
};
var own = (file) => {
  if (file === "README.md") return "/";
  const name = /^packages\/([^/]+)(\/README\.md)?\/?$/.exec(file)?.[1];
  return name === void 0 || name === "cli" || name === "kernel" ? void 0 : `/api/@mailstream/${name}/`;
};
var shown = (file) => {
  const candidates = [posix.join(file, "README.md"), posix.join(file, "RESULTS.md")];
  return candidates.find((candidate) => existsSync(join(root, candidate))) ?? file;
};
var hasHeading = (file, anchor) => [...readFileSync(join(root, file), "utf8").matchAll(/^#+ (.+)$/gm)].some(([, heading = ""]) => heading.toLowerCase().replaceAll(/[^\w -]+/g, "").replaceAll(" ", "-") === anchor);
var problemOf = (file, { href, title }) => {
  if (!statSync(join(root, shown(file)), { throwIfNoEntry: false })?.isFile()) return `${file} cannot be shown`;
  const anchor = /#(.+)$/.exec(href)?.[1];
  if (anchor !== void 0 && !hasHeading(shown(file), anchor)) return `${file} has no heading: ${anchor}`;
  if (title !== void 0 && extname(shown(file)) === ".md") return `${file} has no lines, but headings: ${title}`;
  if (title !== void 0 && lineOf(file, title) === void 0) return `${file} does not contain: ${title}`;
  return void 0;
};
var lineOf = (file, passage) => {
  const index = readFileSync(join(root, shown(file)), "utf8").split("\n").findIndex((line) => line.includes(passage));
  return index === -1 ? void 0 : index + 1;
};
var placeOf = (file) => file.replaceAll(/(^|\/)\./g, "$1").replace(/\.md$/, "");
var urlOf = (file, { href, title }) => {
  const url = own(file) ?? `/source/${placeOf(shown(file))}.html`;
  const line = title === void 0 ? void 0 : lineOf(file, title);
  return line === void 0 ? url + (/#.*$/.exec(href)?.[0] ?? "") : `${url}#L${line}`;
};

// .vitepress/repository.ts
var inlined = (file) => {
  const svg = readFileSync2(join2(root, file), "utf8").replace(/<style>[^]*?<\/style>\n/, "").trim();
  return `<span class="plot" tabindex="0" v-pre>${svg}</span>`;
};
var links = (markdown) => {
  markdown.core.ruler.push("repository", ({ env, tokens }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type === "image") {
        const file2 = fileOf(env.path, { href: token.attrGet("src") ?? "", title: void 0 });
        if (file2 === void 0 || !/^benchmarks\/.*\.svg$/.test(file2)) continue;
        token.type = "html_inline";
        token.content = inlined(file2);
      }
      if (token.type !== "link_open") continue;
      const link = { href: token.attrGet("href") ?? "", title: token.attrGet("title") ?? void 0 };
      const file = fileOf(env.path, link);
      if (file === void 0) continue;
      const problem = problemOf(file, link);
      if (problem !== void 0) throw new Error(`${env.relativePath}: ${problem}`);
      token.attrSet("href", urlOf(file, link));
      token.attrJoin("class", "to-source");
    }
  });
};
var braces = ({ renderer: { rules } }) => {
  for (const name of ["text", "code_inline"]) {
    const rule = rules[name];
    if (rule === void 0) throw new Error(`Markdown is rendered in another way: there is no rule for ${name}`);
    rules[name] = (...args) => rule(...args).replaceAll("{{", "&#123;&#123;");
  }
};
var lines = {
  name: "lines",
  line(node, line) {
    if (/\bsource\b/.test(this.options.meta?.__raw ?? "")) node.properties["id"] = `L${line}`;
  }
};

// .vitepress/samples.ts
import { transformerTwoslash } from "file:///work/rooms/lines/site/node_modules/.pnpm/@shikijs+vitepress-twoslash@2.5.0_typescript@5.9.3/node_modules/@shikijs/vitepress-twoslash/dist/index.mjs";
import { createFileSystemTypesCache } from "file:///work/rooms/lines/site/node_modules/.pnpm/@shikijs+vitepress-twoslash@2.5.0_typescript@5.9.3/node_modules/@shikijs/vitepress-twoslash/dist/cache-fs.mjs";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync as readFileSync3 } from "node:fs";
import { join as join3 } from "node:path";
import { createTwoslasher } from "file:///work/rooms/lines/site/node_modules/.pnpm/twoslash@0.2.12_typescript@5.9.3/node_modules/twoslash/dist/index.mjs";
import ts from "file:///work/rooms/lines/site/node_modules/.pnpm/typescript@5.9.3/node_modules/typescript/lib/typescript.js";
var compilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.esnext.disposable.d.ts"],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  moduleDetection: ts.ModuleDetectionKind.Force,
  strict: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
  types: ["node"],
  typeRoots: [join3(root, "node_modules/@types")]
};
var at = (folder) => createTwoslasher({ vfsRoot: join3(root, folder), tsModule: ts });
var effect3 = at("examples");
var effect4 = at("examples/effect4");
var fingerprint = () => {
  const sources = readdirSync(join3(root, "packages"), { recursive: true, encoding: "utf8" }).filter((path) => /^[^/\\]+[/\\](src[/\\].*\.ts|package\.json)$/.test(path)).sort();
  const hash = createHash("sha256").update(JSON.stringify(compilerOptions));
  for (const path of ["pnpm-lock.yaml", "site/pnpm-lock.yaml", ...sources.map((path2) => join3("packages", path2))]) {
    hash.update(path).update(readFileSync3(join3(root, path)));
  }
  return hash.digest("hex").slice(0, 16);
};
var cache = createFileSystemTypesCache({ dir: join3(root, "site/node_modules/.cache/twoslash", fingerprint()) });
cache.init?.();
var compile = (...[code, ...rest]) => (code.includes('"@mailstream/effect4') ? effect4 : effect3)(code, ...rest);
var twoslasher = Object.assign(
  (...[code, ...rest]) => {
    const known = cache.read(code);
    if (known !== null) return known;
    const compiled = compile(code, ...rest);
    cache.write(code, compiled);
    return compiled;
  },
  { getCacheMap: effect3.getCacheMap }
);
var samples = transformerTwoslash({ twoslasher, twoslashOptions: { compilerOptions }, throws: true });

// .vitepress/sidebar.ts
import { readdirSync as readdirSync2, readFileSync as readFileSync4 } from "node:fs";
import { basename, join as join4 } from "node:path";

// guides.ts
var guides = [
  { title: "Start", names: ["first-walk", "plain-typescript", "effect-4", "from-resend"] },
  { title: "Changing things", names: ["changing-things", "sending", "campaigns", "webhooks"] },
  { title: "When things go wrong", names: ["errors-and-retries", "rate-limits", "surviving-a-crash"] },
  { title: "More ways to read", names: ["following", "complete-lists", "mirror", "many-machines"] },
  { title: "Your own app", names: ["inbox", "observing", "testing", "terminal"] },
  { title: "Background", names: ["inside"] }
];

// .vitepress/sidebar.ts
var titleOf = (page) => (/^# (.+)$/m.exec(readFileSync4(join4(pages, page), "utf8"))?.[1] ?? basename(page, ".md")).replaceAll(
  /[\\`]| <.*$/g,
  ""
);
var pagesIn = (folder) => readdirSync2(join4(pages, folder), { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/")).filter((name) => name.endsWith(".md") && name !== "index.md").sort((a, b) => basename(a).localeCompare(basename(b))).map((name) => `${folder}/${name}`);
var item = (page, text = titleOf(page)) => ({ text, link: `/${page.replace(/\.md$/, "")}` });
var guides2 = [
  ...guides.map(({ names, title }) => ({ text: title, items: names.map((name) => item(`guides/${name}.md`)) })),
  { text: "Operations", items: [item("runbook.md")] }
];
var tags = pagesIn("e").map((page) => item(page));
var isOfApi = ({ text = "" }) => text === text.toLowerCase();
var errors = [
  { text: "All errors", link: "/e/" },
  { text: "Of the API", items: tags.filter(isOfApi) },
  { text: "Of the library", items: tags.filter((tag) => !isOfApi(tag)) }
];
var modules = readdirSync2(join4(pages, "api/@mailstream")).map((name) => ({
  text: `@mailstream/${name}`,
  link: `/api/@mailstream/${name}/`,
  collapsed: true,
  items: pagesIn(`api/@mailstream/${name}`).map((page) => item(page, titleOf(page).replace(`@mailstream/${name}/`, "")))
}));
var api = [item("telemetry.md"), ...modules];

// .vitepress/config.ts
var config_default = defineConfig({
  title: "Mailstream",
  description: "A TypeScript library for an email service's HTTP API: every list as a lazy stream",
  lang: "en",
  srcDir: "pages",
  outDir: "../docs",
  cacheDir: "node_modules/.cache/vitepress",
  head: [["link", { rel: "icon", href: "/icon.svg", type: "image/svg+xml" }]],
  markdown: {
    config: (markdown) => {
      links(markdown);
      braces(markdown);
    },
    codeTransformers: [samples, lines]
  },
  themeConfig: {
    nav: [
      { text: "Guides", link: "/guides/first-walk", activeMatch: "^/guides/" },
      { text: "Errors", link: "/e/", activeMatch: "^/e/" },
      { text: "API reference", link: "/api/", activeMatch: "^/api/" },
      { text: "Benchmarks", link: "/benchmarks" }
    ],
    sidebar: {
      "/guides/": guides2,
      "/e/": errors,
      "/api/": api,
      "/telemetry": api,
      "/runbook": guides2
    },
    outline: [2, 3],
    search: {
      provider: "local",
      options: {
        // Prose, names and signatures are searched for; programs would only repeat them.
        _render: (source, env, markdown) => {
          const html = markdown.render(source.replaceAll(/^<<<.*$|^```ts twoslash[^]*?^```$/gm, ""), env);
          return env.frontmatter?.["search"] === false ? "" : html;
        }
      }
    },
    docFooter: { prev: "Previous", next: "Next" }
  },
  vite: { build: { chunkSizeWarningLimit: 4e3 } }
});
export {
  config_default as default
};
//# sourceMappingURL=data:application/json;base64,ewogICJ2ZXJzaW9uIjogMywKICAic291cmNlcyI6IFsiLnZpdGVwcmVzcy9jb25maWcudHMiLCAiLnZpdGVwcmVzcy9yZXBvc2l0b3J5LnRzIiwgImxpbmtzLnRzIiwgIi52aXRlcHJlc3Mvc2FtcGxlcy50cyIsICIudml0ZXByZXNzL3NpZGViYXIudHMiLCAiZ3VpZGVzLnRzIl0sCiAgInNvdXJjZXNDb250ZW50IjogWyJjb25zdCBfX3ZpdGVfaW5qZWN0ZWRfb3JpZ2luYWxfZGlybmFtZSA9IFwiL3dvcmsvcm9vbXMvbGluZXMvc2l0ZS8udml0ZXByZXNzXCI7Y29uc3QgX192aXRlX2luamVjdGVkX29yaWdpbmFsX2ZpbGVuYW1lID0gXCIvd29yay9yb29tcy9saW5lcy9zaXRlLy52aXRlcHJlc3MvY29uZmlnLnRzXCI7Y29uc3QgX192aXRlX2luamVjdGVkX29yaWdpbmFsX2ltcG9ydF9tZXRhX3VybCA9IFwiZmlsZTovLy93b3JrL3Jvb21zL2xpbmVzL3NpdGUvLnZpdGVwcmVzcy9jb25maWcudHNcIjtpbXBvcnQgeyBkZWZpbmVDb25maWcgfSBmcm9tIFwidml0ZXByZXNzXCJcbmltcG9ydCAqIGFzIFJlcG9zaXRvcnkgZnJvbSBcIi4vcmVwb3NpdG9yeS50c1wiXG5pbXBvcnQgeyBzYW1wbGVzIH0gZnJvbSBcIi4vc2FtcGxlcy50c1wiXG5pbXBvcnQgKiBhcyBTaWRlYmFyIGZyb20gXCIuL3NpZGViYXIudHNcIlxuXG5leHBvcnQgZGVmYXVsdCBkZWZpbmVDb25maWcoe1xuICB0aXRsZTogXCJNYWlsc3RyZWFtXCIsXG4gIGRlc2NyaXB0aW9uOiBcIkEgVHlwZVNjcmlwdCBsaWJyYXJ5IGZvciBhbiBlbWFpbCBzZXJ2aWNlJ3MgSFRUUCBBUEk6IGV2ZXJ5IGxpc3QgYXMgYSBsYXp5IHN0cmVhbVwiLFxuICBsYW5nOiBcImVuXCIsXG4gIHNyY0RpcjogXCJwYWdlc1wiLFxuICBvdXREaXI6IFwiLi4vZG9jc1wiLFxuICBjYWNoZURpcjogXCJub2RlX21vZHVsZXMvLmNhY2hlL3ZpdGVwcmVzc1wiLFxuICBoZWFkOiBbW1wibGlua1wiLCB7IHJlbDogXCJpY29uXCIsIGhyZWY6IFwiL2ljb24uc3ZnXCIsIHR5cGU6IFwiaW1hZ2Uvc3ZnK3htbFwiIH1dXSxcbiAgbWFya2Rvd246IHtcbiAgICBjb25maWc6IChtYXJrZG93bikgPT4ge1xuICAgICAgUmVwb3NpdG9yeS5saW5rcyhtYXJrZG93bilcbiAgICAgIFJlcG9zaXRvcnkuYnJhY2VzKG1hcmtkb3duKVxuICAgIH0sXG4gICAgY29kZVRyYW5zZm9ybWVyczogW3NhbXBsZXMsIFJlcG9zaXRvcnkubGluZXNdXG4gIH0sXG4gIHRoZW1lQ29uZmlnOiB7XG4gICAgbmF2OiBbXG4gICAgICB7IHRleHQ6IFwiR3VpZGVzXCIsIGxpbms6IFwiL2d1aWRlcy9maXJzdC13YWxrXCIsIGFjdGl2ZU1hdGNoOiBcIl4vZ3VpZGVzL1wiIH0sXG4gICAgICB7IHRleHQ6IFwiRXJyb3JzXCIsIGxpbms6IFwiL2UvXCIsIGFjdGl2ZU1hdGNoOiBcIl4vZS9cIiB9LFxuICAgICAgeyB0ZXh0OiBcIkFQSSByZWZlcmVuY2VcIiwgbGluazogXCIvYXBpL1wiLCBhY3RpdmVNYXRjaDogXCJeL2FwaS9cIiB9LFxuICAgICAgeyB0ZXh0OiBcIkJlbmNobWFya3NcIiwgbGluazogXCIvYmVuY2htYXJrc1wiIH1cbiAgICBdLFxuICAgIHNpZGViYXI6IHtcbiAgICAgIFwiL2d1aWRlcy9cIjogU2lkZWJhci5ndWlkZXMsXG4gICAgICBcIi9lL1wiOiBTaWRlYmFyLmVycm9ycyxcbiAgICAgIFwiL2FwaS9cIjogU2lkZWJhci5hcGksXG4gICAgICBcIi90ZWxlbWV0cnlcIjogU2lkZWJhci5hcGksXG4gICAgICBcIi9ydW5ib29rXCI6IFNpZGViYXIuZ3VpZGVzXG4gICAgfSxcbiAgICBvdXRsaW5lOiBbMiwgM10sXG4gICAgc2VhcmNoOiB7XG4gICAgICBwcm92aWRlcjogXCJsb2NhbFwiLFxuICAgICAgb3B0aW9uczoge1xuICAgICAgICAvLyBQcm9zZSwgbmFtZXMgYW5kIHNpZ25hdHVyZXMgYXJlIHNlYXJjaGVkIGZvcjsgcHJvZ3JhbXMgd291bGQgb25seSByZXBlYXQgdGhlbS5cbiAgICAgICAgX3JlbmRlcjogKHNvdXJjZSwgZW52LCBtYXJrZG93bikgPT4ge1xuICAgICAgICAgIGNvbnN0IGh0bWwgPSBtYXJrZG93bi5yZW5kZXIoc291cmNlLnJlcGxhY2VBbGwoL148PDwuKiR8XmBgYHRzIHR3b3NsYXNoW15dKj9eYGBgJC9nbSwgXCJcIiksIGVudilcbiAgICAgICAgICByZXR1cm4gZW52LmZyb250bWF0dGVyPy5bXCJzZWFyY2hcIl0gPT09IGZhbHNlID8gXCJcIiA6IGh0bWxcbiAgICAgICAgfVxuICAgICAgfVxuICAgIH0sXG4gICAgZG9jRm9vdGVyOiB7IHByZXY6IFwiUHJldmlvdXNcIiwgbmV4dDogXCJOZXh0XCIgfVxuICB9LFxuICB2aXRlOiB7IGJ1aWxkOiB7IGNodW5rU2l6ZVdhcm5pbmdMaW1pdDogNDAwMCB9IH1cbn0pXG4iLCAiY29uc3QgX192aXRlX2luamVjdGVkX29yaWdpbmFsX2Rpcm5hbWUgPSBcIi93b3JrL3Jvb21zL2xpbmVzL3NpdGUvLnZpdGVwcmVzc1wiO2NvbnN0IF9fdml0ZV9pbmplY3RlZF9vcmlnaW5hbF9maWxlbmFtZSA9IFwiL3dvcmsvcm9vbXMvbGluZXMvc2l0ZS8udml0ZXByZXNzL3JlcG9zaXRvcnkudHNcIjtjb25zdCBfX3ZpdGVfaW5qZWN0ZWRfb3JpZ2luYWxfaW1wb3J0X21ldGFfdXJsID0gXCJmaWxlOi8vL3dvcmsvcm9vbXMvbGluZXMvc2l0ZS8udml0ZXByZXNzL3JlcG9zaXRvcnkudHNcIjsvKiogTWFya2Rvd24gZm9yIGxpbmtzIHRvIGZpbGVzIG9mIHRoZSByZXBvc2l0b3J5LCBhbmQgZm9yIHRoZSBwYWdlcyB0aGF0IHNob3cgdGhlbS4gKi9cbmltcG9ydCB7IHJlYWRGaWxlU3luYyB9IGZyb20gXCJub2RlOmZzXCJcbmltcG9ydCB7IGpvaW4gfSBmcm9tIFwibm9kZTpwYXRoXCJcbmltcG9ydCB0eXBlIHsgTWFya2Rvd25PcHRpb25zLCBNYXJrZG93blJlbmRlcmVyIH0gZnJvbSBcInZpdGVwcmVzc1wiXG5pbXBvcnQgKiBhcyBMaW5rcyBmcm9tIFwiLi4vbGlua3MudHNcIlxuXG4vKiogQSBkcmF3aW5nIHdpdGhvdXQgdGhlIGNvbG9ycyB0aGF0IGl0IGhhcyBhcyBhIGZpbGU6IHRob3NlIG9mIHRoZSBwYWdlIHJlcGxhY2UgdGhlbSwgYWxzbyB3aGVuIGl0IGlzIGRhcmsgb24gZGVtYW5kLiAqL1xuY29uc3QgaW5saW5lZCA9IChmaWxlOiBzdHJpbmcpOiBzdHJpbmcgPT4ge1xuICBjb25zdCBzdmcgPSByZWFkRmlsZVN5bmMoam9pbihMaW5rcy5yb290LCBmaWxlKSwgXCJ1dGY4XCIpLnJlcGxhY2UoLzxzdHlsZT5bXl0qPzxcXC9zdHlsZT5cXG4vLCBcIlwiKS50cmltKClcbiAgcmV0dXJuIGA8c3BhbiBjbGFzcz1cInBsb3RcIiB0YWJpbmRleD1cIjBcIiB2LXByZT4ke3N2Z308L3NwYW4+YFxufVxuXG4vKiogTGV0cyByZWxhdGl2ZSBsaW5rcyB0byBmaWxlcyBvZiB0aGUgcmVwb3NpdG9yeSBsZWFkIHRvIHRoZWlyIHBhZ2VzLCBhbmQgcHV0cyB0aGUgcGxvdHMgb2YgYmVuY2htYXJrcyBpbnRvIHRoZSBwYWdlLiAqL1xuZXhwb3J0IGNvbnN0IGxpbmtzID0gKG1hcmtkb3duOiBNYXJrZG93blJlbmRlcmVyKTogdm9pZCA9PiB7XG4gIG1hcmtkb3duLmNvcmUucnVsZXIucHVzaChcInJlcG9zaXRvcnlcIiwgKHsgZW52LCB0b2tlbnMgfSkgPT4ge1xuICAgIGZvciAoY29uc3QgdG9rZW4gb2YgdG9rZW5zLmZsYXRNYXAoKHsgY2hpbGRyZW4gfSkgPT4gY2hpbGRyZW4gPz8gW10pKSB7XG4gICAgICBpZiAodG9rZW4udHlwZSA9PT0gXCJpbWFnZVwiKSB7XG4gICAgICAgIGNvbnN0IGZpbGUgPSBMaW5rcy5maWxlT2YoZW52LnBhdGgsIHsgaHJlZjogdG9rZW4uYXR0ckdldChcInNyY1wiKSA/PyBcIlwiLCB0aXRsZTogdW5kZWZpbmVkIH0pXG4gICAgICAgIGlmIChmaWxlID09PSB1bmRlZmluZWQgfHwgIS9eYmVuY2htYXJrc1xcLy4qXFwuc3ZnJC8udGVzdChmaWxlKSkgY29udGludWVcbiAgICAgICAgdG9rZW4udHlwZSA9IFwiaHRtbF9pbmxpbmVcIlxuICAgICAgICB0b2tlbi5jb250ZW50ID0gaW5saW5lZChmaWxlKVxuICAgICAgfVxuICAgICAgaWYgKHRva2VuLnR5cGUgIT09IFwibGlua19vcGVuXCIpIGNvbnRpbnVlXG4gICAgICBjb25zdCBsaW5rID0geyBocmVmOiB0b2tlbi5hdHRyR2V0KFwiaHJlZlwiKSA/PyBcIlwiLCB0aXRsZTogdG9rZW4uYXR0ckdldChcInRpdGxlXCIpID8/IHVuZGVmaW5lZCB9XG4gICAgICBjb25zdCBmaWxlID0gTGlua3MuZmlsZU9mKGVudi5wYXRoLCBsaW5rKVxuICAgICAgaWYgKGZpbGUgPT09IHVuZGVmaW5lZCkgY29udGludWVcbiAgICAgIGNvbnN0IHByb2JsZW0gPSBMaW5rcy5wcm9ibGVtT2YoZmlsZSwgbGluaylcbiAgICAgIGlmIChwcm9ibGVtICE9PSB1bmRlZmluZWQpIHRocm93IG5ldyBFcnJvcihgJHtlbnYucmVsYXRpdmVQYXRofTogJHtwcm9ibGVtfWApXG4gICAgICB0b2tlbi5hdHRyU2V0KFwiaHJlZlwiLCBMaW5rcy51cmxPZihmaWxlLCBsaW5rKSlcbiAgICAgIHRva2VuLmF0dHJKb2luKFwiY2xhc3NcIiwgXCJ0by1zb3VyY2VcIilcbiAgICB9XG4gIH0pXG59XG5cbi8qKiBTaG93cyBicmFjZXMgYXMgdGhleSBhcmU6IHR3byBvZiB0aGVtIHdvdWxkIGJlZ2luIGFuIGV4cHJlc3Npb24gb2YgdGhlIHBhZ2UuICovXG5leHBvcnQgY29uc3QgYnJhY2VzID0gKHsgcmVuZGVyZXI6IHsgcnVsZXMgfSB9OiBNYXJrZG93blJlbmRlcmVyKTogdm9pZCA9PiB7XG4gIGZvciAoY29uc3QgbmFtZSBvZiBbXCJ0ZXh0XCIsIFwiY29kZV9pbmxpbmVcIl0pIHtcbiAgICBjb25zdCBydWxlID0gcnVsZXNbbmFtZV1cbiAgICBpZiAocnVsZSA9PT0gdW5kZWZpbmVkKSB0aHJvdyBuZXcgRXJyb3IoYE1hcmtkb3duIGlzIHJlbmRlcmVkIGluIGFub3RoZXIgd2F5OiB0aGVyZSBpcyBubyBydWxlIGZvciAke25hbWV9YClcbiAgICBydWxlc1tuYW1lXSA9ICguLi5hcmdzKSA9PiBydWxlKC4uLmFyZ3MpLnJlcGxhY2VBbGwoXCJ7e1wiLCBcIiYjMTIzOyYjMTIzO1wiKVxuICB9XG59XG5cbi8qKiBHaXZlcyB0aGUgbGluZXMgb2YgZmlsZXMgdGhlaXIgbnVtYmVycyBhcyBhbmNob3JzLiAqL1xuZXhwb3J0IGNvbnN0IGxpbmVzOiBOb25OdWxsYWJsZTxNYXJrZG93bk9wdGlvbnNbXCJjb2RlVHJhbnNmb3JtZXJzXCJdPltudW1iZXJdID0ge1xuICBuYW1lOiBcImxpbmVzXCIsXG4gIGxpbmUobm9kZSwgbGluZSkge1xuICAgIGlmICgvXFxic291cmNlXFxiLy50ZXN0KHRoaXMub3B0aW9ucy5tZXRhPy5fX3JhdyA/PyBcIlwiKSkgbm9kZS5wcm9wZXJ0aWVzW1wiaWRcIl0gPSBgTCR7bGluZX1gXG4gIH1cbn1cbiIsICJjb25zdCBfX3ZpdGVfaW5qZWN0ZWRfb3JpZ2luYWxfZGlybmFtZSA9IFwiL3dvcmsvcm9vbXMvbGluZXMvc2l0ZVwiO2NvbnN0IF9fdml0ZV9pbmplY3RlZF9vcmlnaW5hbF9maWxlbmFtZSA9IFwiL3dvcmsvcm9vbXMvbGluZXMvc2l0ZS9saW5rcy50c1wiO2NvbnN0IF9fdml0ZV9pbmplY3RlZF9vcmlnaW5hbF9pbXBvcnRfbWV0YV91cmwgPSBcImZpbGU6Ly8vd29yay9yb29tcy9saW5lcy9zaXRlL2xpbmtzLnRzXCI7LyoqXG4gKiBMaW5rcyBmcm9tIHRoZSBwYWdlcyBvZiB0aGlzIHNpdGUgdG8gZmlsZXMgb2YgdGhlIHJlcG9zaXRvcnkuIEluIE1hcmtkb3duIHRoZXkgYXJlIHJlbGF0aXZlIHBhdGhzLCB3aGljaCB3b3JrIHdoZXJldmVyXG4gKiB0aGUgcmVwb3NpdG9yeSBpcyBzaG93bjsgaGVyZSwgZWFjaCBzdWNoIGZpbGUgYmVjb21lcyBhIHBhZ2UgYmVsb3cgYC9zb3VyY2UvYC5cbiAqXG4gKiBUaGUgdGl0bGUgb2YgYSBsaW5rIGlzIGEgcGFzc2FnZSBvZiB0aGUgZmlsZSwgdXN1YWxseSB0aGUgbmFtZSBvZiBhIHRlc3Q6IGBbdGVzdF0oLi4vV2Fsay50ZXN0LnRzIFwiaXMgZW1wdHkgZm9yIFx1MjAyNlwiKWAuXG4gKiBJdCBpcyBoaWdobGlnaHRlZCB3aGVyZSB0aGUgbGluayBsZWFkcyB0by4gTWFya2Rvd24gaXMgc2hvd24gd2l0aG91dCBpdHMgbGluZXM6IGEgbGluayBsZWFkcyB0byBvbmUgb2YgaXRzIGhlYWRpbmdzLFxuICogYFtpbmJveF0oLi4vUkVBRE1FLm1kI3RoZS1pbmJveClgLiBBIGZpbGUsIGEgcGFzc2FnZSBvciBhIGhlYWRpbmcgdGhhdCBkb2VzIG5vdCBleGlzdCBmYWlscyB0aGUgYnVpbGQuXG4gKi9cbmltcG9ydCB7IGV4aXN0c1N5bmMsIHJlYWRGaWxlU3luYywgc3RhdFN5bmMgfSBmcm9tIFwibm9kZTpmc1wiXG5pbXBvcnQgeyBkaXJuYW1lLCBleHRuYW1lLCBqb2luLCBwb3NpeCwgcmVsYXRpdmUsIHNlcCB9IGZyb20gXCJub2RlOnBhdGhcIlxuaW1wb3J0IHsgZmlsZVVSTFRvUGF0aCB9IGZyb20gXCJub2RlOnVybFwiXG5cbi8qKiBUaGUgcm9vdCBvZiB0aGUgcmVwb3NpdG9yeS4gKi9cbmV4cG9ydCBjb25zdCByb290OiBzdHJpbmcgPSBmaWxlVVJMVG9QYXRoKG5ldyBVUkwoXCIuLi9cIiwgaW1wb3J0Lm1ldGEudXJsKSlcblxuLyoqIFRoZSBmb2xkZXIgb2YgdGhlIHBhZ2VzLiAqL1xuZXhwb3J0IGNvbnN0IHBhZ2VzOiBzdHJpbmcgPSBmaWxlVVJMVG9QYXRoKG5ldyBVUkwoXCJwYWdlcy9cIiwgaW1wb3J0Lm1ldGEudXJsKSlcblxuZXhwb3J0IGludGVyZmFjZSBMaW5rIHtcbiAgcmVhZG9ubHkgaHJlZjogc3RyaW5nXG4gIHJlYWRvbmx5IHRpdGxlOiBzdHJpbmcgfCB1bmRlZmluZWRcbn1cblxuY29uc3QgZmVuY2VzID0gL14oYHszLH0pW15dKj9eXFwxL2dtXG5jb25zdCBsaW5rID0gL1xcXVxcKCg/PGhyZWY+W14pXFxzXSspKD86IFwiKD88dGl0bGU+W15cIl0qKVwiKT9cXCkvZ1xuXG4vKiogVGhlIGxpbmtzIG9mIGEgTWFya2Rvd24gdGV4dCwgZXhjZXB0IGZvciB0aG9zZSBpbiBjb2RlLiAqL1xuZXhwb3J0IGNvbnN0IGxpbmtzSW4gPSAobWFya2Rvd246IHN0cmluZyk6IFJlYWRvbmx5QXJyYXk8TGluaz4gPT5cbiAgWy4uLm1hcmtkb3duLnJlcGxhY2UoZmVuY2VzLCBcIlwiKS5yZXBsYWNlKC9gW15gXFxuXSpgL2csIFwiXCIpLm1hdGNoQWxsKGxpbmspXS5tYXAoKHsgZ3JvdXBzIH0pID0+ICh7XG4gICAgaHJlZjogZ3JvdXBzPy5bXCJocmVmXCJdID8/IFwiXCIsXG4gICAgdGl0bGU6IGdyb3Vwcz8uW1widGl0bGVcIl1cbiAgfSkpXG5cbmNvbnN0IGlzUmVsYXRpdmUgPSAoaHJlZjogc3RyaW5nKTogYm9vbGVhbiA9PiAhL14oW2Etel0rOnxcXC98IykvLnRlc3QoaHJlZilcblxuLyoqIFRoZSBwYXRoIG9mIGEgZmlsZSBpbiB0aGUgcmVwb3NpdG9yeSwgd2l0aCBgL2Agb24gZXZlcnkgc3lzdGVtLiAqL1xuY29uc3QgaW5SZXBvc2l0b3J5ID0gKGZpbGU6IHN0cmluZyk6IHN0cmluZyA9PiByZWxhdGl2ZShyb290LCBmaWxlKS5zcGxpdChzZXApLmpvaW4ocG9zaXguc2VwKVxuXG4vKiogVGhlIGZpbGUgb2YgdGhlIHJlcG9zaXRvcnkgdGhhdCBhIGxpbmsgaW4gYW5vdGhlciBmaWxlIGxlYWRzIHRvOyBgdW5kZWZpbmVkYCBpZiBpdCBsZWFkcyB0byBhIHBhZ2Ugb3IgZWxzZXdoZXJlLiAqL1xuZXhwb3J0IGNvbnN0IGZpbGVPZiA9IChmcm9tOiBzdHJpbmcsIHsgaHJlZiB9OiBMaW5rKTogc3RyaW5nIHwgdW5kZWZpbmVkID0+IHtcbiAgaWYgKCFpc1JlbGF0aXZlKGhyZWYpKSByZXR1cm4gdW5kZWZpbmVkXG4gIGNvbnN0IGZpbGUgPSBqb2luKGRpcm5hbWUoZnJvbSksIGhyZWYucmVwbGFjZSgvWz8jXS4qJC8sIFwiXCIpKVxuICByZXR1cm4gZmlsZS5zdGFydHNXaXRoKHBhZ2VzKSA/IHVuZGVmaW5lZCA6IGluUmVwb3NpdG9yeShmaWxlKVxufVxuXG4vKiogRmlsZXMgdGhhdCBhcmUgcGFnZXMgb2YgdGhlaXIgb3duLiAqL1xuY29uc3Qgb3duID0gKGZpbGU6IHN0cmluZyk6IHN0cmluZyB8IHVuZGVmaW5lZCA9PiB7XG4gIGlmIChmaWxlID09PSBcIlJFQURNRS5tZFwiKSByZXR1cm4gXCIvXCJcbiAgY29uc3QgbmFtZSA9IC9ecGFja2FnZXNcXC8oW14vXSspKFxcL1JFQURNRVxcLm1kKT9cXC8/JC8uZXhlYyhmaWxlKT8uWzFdXG4gIHJldHVybiBuYW1lID09PSB1bmRlZmluZWQgfHwgbmFtZSA9PT0gXCJjbGlcIiB8fCBuYW1lID09PSBcImtlcm5lbFwiID8gdW5kZWZpbmVkIDogYC9hcGkvQG1haWxzdHJlYW0vJHtuYW1lfS9gXG59XG5cbi8qKiBUaGUgZmlsZSB0aGF0IGlzIHNob3duIGZvciBhIHBhdGg6IGEgZm9sZGVyIGlzIHNob3duIGJ5IGl0cyBSRUFETUUsIG9yIGJ5IGl0cyByZXN1bHRzLiAqL1xuZXhwb3J0IGNvbnN0IHNob3duID0gKGZpbGU6IHN0cmluZyk6IHN0cmluZyA9PiB7XG4gIGNvbnN0IGNhbmRpZGF0ZXMgPSBbcG9zaXguam9pbihmaWxlLCBcIlJFQURNRS5tZFwiKSwgcG9zaXguam9pbihmaWxlLCBcIlJFU1VMVFMubWRcIildXG4gIHJldHVybiBjYW5kaWRhdGVzLmZpbmQoKGNhbmRpZGF0ZSkgPT4gZXhpc3RzU3luYyhqb2luKHJvb3QsIGNhbmRpZGF0ZSkpKSA/PyBmaWxlXG59XG5cbi8qKiBXaGV0aGVyIGEgdGV4dCBpbiBNYXJrZG93biBoYXMgYSBoZWFkaW5nIHdpdGggdGhpcyBhbmNob3IuICovXG5jb25zdCBoYXNIZWFkaW5nID0gKGZpbGU6IHN0cmluZywgYW5jaG9yOiBzdHJpbmcpOiBib29sZWFuID0+XG4gIFsuLi5yZWFkRmlsZVN5bmMoam9pbihyb290LCBmaWxlKSwgXCJ1dGY4XCIpLm1hdGNoQWxsKC9eIysgKC4rKSQvZ20pXVxuICAgIC5zb21lKChbLCBoZWFkaW5nID0gXCJcIl0pID0+IGhlYWRpbmcudG9Mb3dlckNhc2UoKS5yZXBsYWNlQWxsKC9bXlxcdyAtXSsvZywgXCJcIikucmVwbGFjZUFsbChcIiBcIiwgXCItXCIpID09PSBhbmNob3IpXG5cbi8qKiBXaGF0IGlzIHdyb25nIHdpdGggYSBsaW5rIHRvIGEgZmlsZS4gKi9cbmV4cG9ydCBjb25zdCBwcm9ibGVtT2YgPSAoZmlsZTogc3RyaW5nLCB7IGhyZWYsIHRpdGxlIH06IExpbmspOiBzdHJpbmcgfCB1bmRlZmluZWQgPT4ge1xuICBpZiAoIXN0YXRTeW5jKGpvaW4ocm9vdCwgc2hvd24oZmlsZSkpLCB7IHRocm93SWZOb0VudHJ5OiBmYWxzZSB9KT8uaXNGaWxlKCkpIHJldHVybiBgJHtmaWxlfSBjYW5ub3QgYmUgc2hvd25gXG4gIGNvbnN0IGFuY2hvciA9IC8jKC4rKSQvLmV4ZWMoaHJlZik/LlsxXVxuICBpZiAoYW5jaG9yICE9PSB1bmRlZmluZWQgJiYgIWhhc0hlYWRpbmcoc2hvd24oZmlsZSksIGFuY2hvcikpIHJldHVybiBgJHtmaWxlfSBoYXMgbm8gaGVhZGluZzogJHthbmNob3J9YFxuICBpZiAodGl0bGUgIT09IHVuZGVmaW5lZCAmJiBleHRuYW1lKHNob3duKGZpbGUpKSA9PT0gXCIubWRcIikgcmV0dXJuIGAke2ZpbGV9IGhhcyBubyBsaW5lcywgYnV0IGhlYWRpbmdzOiAke3RpdGxlfWBcbiAgaWYgKHRpdGxlICE9PSB1bmRlZmluZWQgJiYgbGluZU9mKGZpbGUsIHRpdGxlKSA9PT0gdW5kZWZpbmVkKSByZXR1cm4gYCR7ZmlsZX0gZG9lcyBub3QgY29udGFpbjogJHt0aXRsZX1gXG4gIHJldHVybiB1bmRlZmluZWRcbn1cblxuLyoqIFRoZSBudW1iZXIgb2YgdGhlIGZpcnN0IGxpbmUgd2l0aCBhIHBhc3NhZ2UuICovXG5jb25zdCBsaW5lT2YgPSAoZmlsZTogc3RyaW5nLCBwYXNzYWdlOiBzdHJpbmcpOiBudW1iZXIgfCB1bmRlZmluZWQgPT4ge1xuICBjb25zdCBpbmRleCA9IHJlYWRGaWxlU3luYyhqb2luKHJvb3QsIHNob3duKGZpbGUpKSwgXCJ1dGY4XCIpLnNwbGl0KFwiXFxuXCIpLmZpbmRJbmRleCgobGluZSkgPT4gbGluZS5pbmNsdWRlcyhwYXNzYWdlKSlcbiAgcmV0dXJuIGluZGV4ID09PSAtMSA/IHVuZGVmaW5lZCA6IGluZGV4ICsgMVxufVxuXG4vKiogV2hlcmUgYSBmaWxlIGlzIHNob3duLCBiZWxvdyBgL3NvdXJjZS9gOiBWaXRlUHJlc3MgZG9lcyBub3QgbG9vayBpbnRvIGZvbGRlcnMgd2hvc2UgbmFtZXMgYmVnaW4gd2l0aCBhIGRvdC4gKi9cbmV4cG9ydCBjb25zdCBwbGFjZU9mID0gKGZpbGU6IHN0cmluZyk6IHN0cmluZyA9PiBmaWxlLnJlcGxhY2VBbGwoLyhefFxcLylcXC4vZywgXCIkMVwiKS5yZXBsYWNlKC9cXC5tZCQvLCBcIlwiKVxuXG4vKiogV2hlcmUgYSBsaW5rIHRvIGEgZmlsZSBsZWFkcyBvbiB0aGlzIHNpdGUuICovXG5leHBvcnQgY29uc3QgdXJsT2YgPSAoZmlsZTogc3RyaW5nLCB7IGhyZWYsIHRpdGxlIH06IExpbmspOiBzdHJpbmcgPT4ge1xuICBjb25zdCB1cmwgPSBvd24oZmlsZSkgPz8gYC9zb3VyY2UvJHtwbGFjZU9mKHNob3duKGZpbGUpKX0uaHRtbGBcbiAgY29uc3QgbGluZSA9IHRpdGxlID09PSB1bmRlZmluZWQgPyB1bmRlZmluZWQgOiBsaW5lT2YoZmlsZSwgdGl0bGUpXG4gIHJldHVybiBsaW5lID09PSB1bmRlZmluZWQgPyB1cmwgKyAoLyMuKiQvLmV4ZWMoaHJlZik/LlswXSA/PyBcIlwiKSA6IGAke3VybH0jTCR7bGluZX1gXG59XG5cbi8qKiBXaGV0aGVyIGEgZmlsZSBpcyBzaG93biBhcyBhIHBhZ2UgYmVsb3cgYC9zb3VyY2UvYC4gKi9cbmV4cG9ydCBjb25zdCBpc1NvdXJjZSA9IChmaWxlOiBzdHJpbmcpOiBib29sZWFuID0+IG93bihmaWxlKSA9PT0gdW5kZWZpbmVkXG4iLCAiY29uc3QgX192aXRlX2luamVjdGVkX29yaWdpbmFsX2Rpcm5hbWUgPSBcIi93b3JrL3Jvb21zL2xpbmVzL3NpdGUvLnZpdGVwcmVzc1wiO2NvbnN0IF9fdml0ZV9pbmplY3RlZF9vcmlnaW5hbF9maWxlbmFtZSA9IFwiL3dvcmsvcm9vbXMvbGluZXMvc2l0ZS8udml0ZXByZXNzL3NhbXBsZXMudHNcIjtjb25zdCBfX3ZpdGVfaW5qZWN0ZWRfb3JpZ2luYWxfaW1wb3J0X21ldGFfdXJsID0gXCJmaWxlOi8vL3dvcmsvcm9vbXMvbGluZXMvc2l0ZS8udml0ZXByZXNzL3NhbXBsZXMudHNcIjsvKipcbiAqIFR5cGVzIG9uIGhvdmVyLiBTYW1wbGVzIGFyZSBjb21waWxlZCBhZ2FpbnN0IHRoZSBwYWNrYWdlcyBvZiB0aGlzIHJlcG9zaXRvcnksIGFuZCBvbmUgdGhhdCBkb2VzIG5vdCBjb21waWxlIGZhaWxzIHRoZVxuICogYnVpbGQuXG4gKi9cbmltcG9ydCB7IHRyYW5zZm9ybWVyVHdvc2xhc2ggfSBmcm9tIFwiQHNoaWtpanMvdml0ZXByZXNzLXR3b3NsYXNoXCJcbmltcG9ydCB7IGNyZWF0ZUZpbGVTeXN0ZW1UeXBlc0NhY2hlIH0gZnJvbSBcIkBzaGlraWpzL3ZpdGVwcmVzcy10d29zbGFzaC9jYWNoZS1mc1wiXG5pbXBvcnQgeyBjcmVhdGVIYXNoIH0gZnJvbSBcIm5vZGU6Y3J5cHRvXCJcbmltcG9ydCB7IHJlYWRkaXJTeW5jLCByZWFkRmlsZVN5bmMgfSBmcm9tIFwibm9kZTpmc1wiXG5pbXBvcnQgeyBqb2luIH0gZnJvbSBcIm5vZGU6cGF0aFwiXG5pbXBvcnQgeyBjcmVhdGVUd29zbGFzaGVyIH0gZnJvbSBcInR3b3NsYXNoXCJcbmltcG9ydCB0cyBmcm9tIFwidHlwZXNjcmlwdFwiXG5pbXBvcnQgeyByb290IH0gZnJvbSBcIi4uL2xpbmtzLnRzXCJcblxuY29uc3QgY29tcGlsZXJPcHRpb25zOiB0cy5Db21waWxlck9wdGlvbnMgPSB7XG4gIHRhcmdldDogdHMuU2NyaXB0VGFyZ2V0LkVTMjAyMixcbiAgbGliOiBbXCJsaWIuZXMyMDIyLmQudHNcIiwgXCJsaWIuZG9tLmQudHNcIiwgXCJsaWIuZXNuZXh0LmRpc3Bvc2FibGUuZC50c1wiXSxcbiAgbW9kdWxlOiB0cy5Nb2R1bGVLaW5kLk5vZGVOZXh0LFxuICBtb2R1bGVSZXNvbHV0aW9uOiB0cy5Nb2R1bGVSZXNvbHV0aW9uS2luZC5Ob2RlTmV4dCxcbiAgbW9kdWxlRGV0ZWN0aW9uOiB0cy5Nb2R1bGVEZXRlY3Rpb25LaW5kLkZvcmNlLFxuICBzdHJpY3Q6IHRydWUsXG4gIGV4YWN0T3B0aW9uYWxQcm9wZXJ0eVR5cGVzOiB0cnVlLFxuICBhbGxvd0ltcG9ydGluZ1RzRXh0ZW5zaW9uczogdHJ1ZSxcbiAgc2tpcExpYkNoZWNrOiB0cnVlLFxuICBub0VtaXQ6IHRydWUsXG4gIHR5cGVzOiBbXCJub2RlXCJdLFxuICB0eXBlUm9vdHM6IFtqb2luKHJvb3QsIFwibm9kZV9tb2R1bGVzL0B0eXBlc1wiKV1cbn1cblxuLyoqIENvbXBpbGVzIGFzIGlmIHRoZSBzYW1wbGUgd2FzIGluIGEgZm9sZGVyLiAqL1xuY29uc3QgYXQgPSAoZm9sZGVyOiBzdHJpbmcpOiBSZXR1cm5UeXBlPHR5cGVvZiBjcmVhdGVUd29zbGFzaGVyPiA9PlxuICBjcmVhdGVUd29zbGFzaGVyKHsgdmZzUm9vdDogam9pbihyb290LCBmb2xkZXIpLCB0c01vZHVsZTogdHMgfSlcblxuY29uc3QgZWZmZWN0MyA9IGF0KFwiZXhhbXBsZXNcIilcbmNvbnN0IGVmZmVjdDQgPSBhdChcImV4YW1wbGVzL2VmZmVjdDRcIilcblxuLyoqIENoYW5nZXMgd2l0aCBldmVyeXRoaW5nIHRoYXQgc2FtcGxlcyBhcmUgY29tcGlsZWQgYWdhaW5zdC4gKi9cbmNvbnN0IGZpbmdlcnByaW50ID0gKCk6IHN0cmluZyA9PiB7XG4gIGNvbnN0IHNvdXJjZXMgPSByZWFkZGlyU3luYyhqb2luKHJvb3QsIFwicGFja2FnZXNcIiksIHsgcmVjdXJzaXZlOiB0cnVlLCBlbmNvZGluZzogXCJ1dGY4XCIgfSlcbiAgICAuZmlsdGVyKChwYXRoKSA9PiAvXlteL1xcXFxdK1svXFxcXF0oc3JjWy9cXFxcXS4qXFwudHN8cGFja2FnZVxcLmpzb24pJC8udGVzdChwYXRoKSlcbiAgICAuc29ydCgpXG4gIGNvbnN0IGhhc2ggPSBjcmVhdGVIYXNoKFwic2hhMjU2XCIpLnVwZGF0ZShKU09OLnN0cmluZ2lmeShjb21waWxlck9wdGlvbnMpKVxuICBmb3IgKGNvbnN0IHBhdGggb2YgW1wicG5wbS1sb2NrLnlhbWxcIiwgXCJzaXRlL3BucG0tbG9jay55YW1sXCIsIC4uLnNvdXJjZXMubWFwKChwYXRoKSA9PiBqb2luKFwicGFja2FnZXNcIiwgcGF0aCkpXSkge1xuICAgIGhhc2gudXBkYXRlKHBhdGgpLnVwZGF0ZShyZWFkRmlsZVN5bmMoam9pbihyb290LCBwYXRoKSkpXG4gIH1cbiAgcmV0dXJuIGhhc2guZGlnZXN0KFwiaGV4XCIpLnNsaWNlKDAsIDE2KVxufVxuXG5jb25zdCBjYWNoZSA9IGNyZWF0ZUZpbGVTeXN0ZW1UeXBlc0NhY2hlKHsgZGlyOiBqb2luKHJvb3QsIFwic2l0ZS9ub2RlX21vZHVsZXMvLmNhY2hlL3R3b3NsYXNoXCIsIGZpbmdlcnByaW50KCkpIH0pXG5jYWNoZS5pbml0Py4oKVxuXG4vKiogYGVmZmVjdGAgaXMgRWZmZWN0IDQgYmVzaWRlIHRoZSBwYWNrYWdlIGZvciBpdCwgYW5kIEVmZmVjdCAzIGVsc2V3aGVyZS4gKi9cbmNvbnN0IGNvbXBpbGUgPSAoLi4uW2NvZGUsIC4uLnJlc3RdOiBQYXJhbWV0ZXJzPHR5cGVvZiBlZmZlY3QzPik6IFJldHVyblR5cGU8dHlwZW9mIGVmZmVjdDM+ID0+XG4gIChjb2RlLmluY2x1ZGVzKFwiXFxcIkBtYWlsc3RyZWFtL2VmZmVjdDRcIikgPyBlZmZlY3Q0IDogZWZmZWN0MykoY29kZSwgLi4ucmVzdClcblxuY29uc3QgdHdvc2xhc2hlcjogdHlwZW9mIGVmZmVjdDMgPSBPYmplY3QuYXNzaWduKFxuICAoLi4uW2NvZGUsIC4uLnJlc3RdOiBQYXJhbWV0ZXJzPHR5cGVvZiBlZmZlY3QzPikgPT4ge1xuICAgIGNvbnN0IGtub3duID0gY2FjaGUucmVhZChjb2RlKVxuICAgIGlmIChrbm93biAhPT0gbnVsbCkgcmV0dXJuIGtub3duXG4gICAgY29uc3QgY29tcGlsZWQgPSBjb21waWxlKGNvZGUsIC4uLnJlc3QpXG4gICAgY2FjaGUud3JpdGUoY29kZSwgY29tcGlsZWQpXG4gICAgcmV0dXJuIGNvbXBpbGVkXG4gIH0sXG4gIHsgZ2V0Q2FjaGVNYXA6IGVmZmVjdDMuZ2V0Q2FjaGVNYXAgfVxuKVxuXG5leHBvcnQgY29uc3Qgc2FtcGxlcyA9IHRyYW5zZm9ybWVyVHdvc2xhc2goeyB0d29zbGFzaGVyLCB0d29zbGFzaE9wdGlvbnM6IHsgY29tcGlsZXJPcHRpb25zIH0sIHRocm93czogdHJ1ZSB9KVxuIiwgImNvbnN0IF9fdml0ZV9pbmplY3RlZF9vcmlnaW5hbF9kaXJuYW1lID0gXCIvd29yay9yb29tcy9saW5lcy9zaXRlLy52aXRlcHJlc3NcIjtjb25zdCBfX3ZpdGVfaW5qZWN0ZWRfb3JpZ2luYWxfZmlsZW5hbWUgPSBcIi93b3JrL3Jvb21zL2xpbmVzL3NpdGUvLnZpdGVwcmVzcy9zaWRlYmFyLnRzXCI7Y29uc3QgX192aXRlX2luamVjdGVkX29yaWdpbmFsX2ltcG9ydF9tZXRhX3VybCA9IFwiZmlsZTovLy93b3JrL3Jvb21zL2xpbmVzL3NpdGUvLnZpdGVwcmVzcy9zaWRlYmFyLnRzXCI7LyoqIFRoZSBzaWRlYmFyczogZ3VpZGVzIGluIHJlYWRpbmcgb3JkZXIsIGVycm9ycyBhbmQgbW9kdWxlcyBhcyB0aGV5IHdlcmUgZ2VuZXJhdGVkLiAqL1xuaW1wb3J0IHsgcmVhZGRpclN5bmMsIHJlYWRGaWxlU3luYyB9IGZyb20gXCJub2RlOmZzXCJcbmltcG9ydCB7IGJhc2VuYW1lLCBqb2luIH0gZnJvbSBcIm5vZGU6cGF0aFwiXG5pbXBvcnQgdHlwZSB7IERlZmF1bHRUaGVtZSB9IGZyb20gXCJ2aXRlcHJlc3NcIlxuaW1wb3J0IHsgZ3VpZGVzIGFzIGNoYXB0ZXJzIH0gZnJvbSBcIi4uL2d1aWRlcy50c1wiXG5pbXBvcnQgeyBwYWdlcyB9IGZyb20gXCIuLi9saW5rcy50c1wiXG5cbnR5cGUgSXRlbSA9IERlZmF1bHRUaGVtZS5TaWRlYmFySXRlbVxuXG4vKiogVGhlIGhlYWRpbmcgb2YgYSBwYWdlLiAqL1xuY29uc3QgdGl0bGVPZiA9IChwYWdlOiBzdHJpbmcpOiBzdHJpbmcgPT5cbiAgKC9eIyAoLispJC9tLmV4ZWMocmVhZEZpbGVTeW5jKGpvaW4ocGFnZXMsIHBhZ2UpLCBcInV0ZjhcIikpPy5bMV0gPz8gYmFzZW5hbWUocGFnZSwgXCIubWRcIikpLnJlcGxhY2VBbGwoXG4gICAgL1tcXFxcYF18IDwuKiQvZyxcbiAgICBcIlwiXG4gIClcblxuLyoqIFRoZSBwYWdlcyBpbiBhIGZvbGRlciBhbmQgYmVsb3cgaXQsIGV4Y2VwdCBmb3IgaXRzIGluZGV4LiAqL1xuY29uc3QgcGFnZXNJbiA9IChmb2xkZXI6IHN0cmluZyk6IFJlYWRvbmx5QXJyYXk8c3RyaW5nPiA9PlxuICByZWFkZGlyU3luYyhqb2luKHBhZ2VzLCBmb2xkZXIpLCB7IHJlY3Vyc2l2ZTogdHJ1ZSwgZW5jb2Rpbmc6IFwidXRmOFwiIH0pXG4gICAgLm1hcCgobmFtZSkgPT4gbmFtZS5yZXBsYWNlQWxsKFwiXFxcXFwiLCBcIi9cIikpXG4gICAgLmZpbHRlcigobmFtZSkgPT4gbmFtZS5lbmRzV2l0aChcIi5tZFwiKSAmJiBuYW1lICE9PSBcImluZGV4Lm1kXCIpXG4gICAgLnNvcnQoKGEsIGIpID0+IGJhc2VuYW1lKGEpLmxvY2FsZUNvbXBhcmUoYmFzZW5hbWUoYikpKVxuICAgIC5tYXAoKG5hbWUpID0+IGAke2ZvbGRlcn0vJHtuYW1lfWApXG5cbmNvbnN0IGl0ZW0gPSAocGFnZTogc3RyaW5nLCB0ZXh0OiBzdHJpbmcgPSB0aXRsZU9mKHBhZ2UpKTogSXRlbSA9PiAoeyB0ZXh0LCBsaW5rOiBgLyR7cGFnZS5yZXBsYWNlKC9cXC5tZCQvLCBcIlwiKX1gIH0pXG5cbmV4cG9ydCBjb25zdCBndWlkZXM6IEFycmF5PEl0ZW0+ID0gW1xuICAuLi5jaGFwdGVycy5tYXAoKHsgbmFtZXMsIHRpdGxlIH0pID0+ICh7IHRleHQ6IHRpdGxlLCBpdGVtczogbmFtZXMubWFwKChuYW1lKSA9PiBpdGVtKGBndWlkZXMvJHtuYW1lfS5tZGApKSB9KSksXG4gIHsgdGV4dDogXCJPcGVyYXRpb25zXCIsIGl0ZW1zOiBbaXRlbShcInJ1bmJvb2subWRcIildIH1cbl1cblxuY29uc3QgdGFncyA9IHBhZ2VzSW4oXCJlXCIpLm1hcCgocGFnZSkgPT4gaXRlbShwYWdlKSlcbmNvbnN0IGlzT2ZBcGkgPSAoeyB0ZXh0ID0gXCJcIiB9OiBJdGVtKTogYm9vbGVhbiA9PiB0ZXh0ID09PSB0ZXh0LnRvTG93ZXJDYXNlKClcblxuZXhwb3J0IGNvbnN0IGVycm9yczogQXJyYXk8SXRlbT4gPSBbXG4gIHsgdGV4dDogXCJBbGwgZXJyb3JzXCIsIGxpbms6IFwiL2UvXCIgfSxcbiAgeyB0ZXh0OiBcIk9mIHRoZSBBUElcIiwgaXRlbXM6IHRhZ3MuZmlsdGVyKGlzT2ZBcGkpIH0sXG4gIHsgdGV4dDogXCJPZiB0aGUgbGlicmFyeVwiLCBpdGVtczogdGFncy5maWx0ZXIoKHRhZykgPT4gIWlzT2ZBcGkodGFnKSkgfVxuXVxuXG5jb25zdCBtb2R1bGVzID0gcmVhZGRpclN5bmMoam9pbihwYWdlcywgXCJhcGkvQG1haWxzdHJlYW1cIikpLm1hcCgobmFtZSk6IEl0ZW0gPT4gKHtcbiAgdGV4dDogYEBtYWlsc3RyZWFtLyR7bmFtZX1gLFxuICBsaW5rOiBgL2FwaS9AbWFpbHN0cmVhbS8ke25hbWV9L2AsXG4gIGNvbGxhcHNlZDogdHJ1ZSxcbiAgaXRlbXM6IHBhZ2VzSW4oYGFwaS9AbWFpbHN0cmVhbS8ke25hbWV9YCkubWFwKChwYWdlKSA9PiBpdGVtKHBhZ2UsIHRpdGxlT2YocGFnZSkucmVwbGFjZShgQG1haWxzdHJlYW0vJHtuYW1lfS9gLCBcIlwiKSkpXG59KSlcblxuZXhwb3J0IGNvbnN0IGFwaTogQXJyYXk8SXRlbT4gPSBbaXRlbShcInRlbGVtZXRyeS5tZFwiKSwgLi4ubW9kdWxlc11cbiIsICJjb25zdCBfX3ZpdGVfaW5qZWN0ZWRfb3JpZ2luYWxfZGlybmFtZSA9IFwiL3dvcmsvcm9vbXMvbGluZXMvc2l0ZVwiO2NvbnN0IF9fdml0ZV9pbmplY3RlZF9vcmlnaW5hbF9maWxlbmFtZSA9IFwiL3dvcmsvcm9vbXMvbGluZXMvc2l0ZS9ndWlkZXMudHNcIjtjb25zdCBfX3ZpdGVfaW5qZWN0ZWRfb3JpZ2luYWxfaW1wb3J0X21ldGFfdXJsID0gXCJmaWxlOi8vL3dvcmsvcm9vbXMvbGluZXMvc2l0ZS9ndWlkZXMudHNcIjsvKiogVGhlIGd1aWRlcywgaW4gdGhlIG9yZGVyIGluIHdoaWNoIHRoZXkgYXJlIHJlYWQuICovXG5leHBvcnQgY29uc3QgZ3VpZGVzOiBSZWFkb25seUFycmF5PHsgcmVhZG9ubHkgdGl0bGU6IHN0cmluZzsgcmVhZG9ubHkgbmFtZXM6IFJlYWRvbmx5QXJyYXk8c3RyaW5nPiB9PiA9IFtcbiAgeyB0aXRsZTogXCJTdGFydFwiLCBuYW1lczogW1wiZmlyc3Qtd2Fsa1wiLCBcInBsYWluLXR5cGVzY3JpcHRcIiwgXCJlZmZlY3QtNFwiLCBcImZyb20tcmVzZW5kXCJdIH0sXG4gIHsgdGl0bGU6IFwiQ2hhbmdpbmcgdGhpbmdzXCIsIG5hbWVzOiBbXCJjaGFuZ2luZy10aGluZ3NcIiwgXCJzZW5kaW5nXCIsIFwiY2FtcGFpZ25zXCIsIFwid2ViaG9va3NcIl0gfSxcbiAgeyB0aXRsZTogXCJXaGVuIHRoaW5ncyBnbyB3cm9uZ1wiLCBuYW1lczogW1wiZXJyb3JzLWFuZC1yZXRyaWVzXCIsIFwicmF0ZS1saW1pdHNcIiwgXCJzdXJ2aXZpbmctYS1jcmFzaFwiXSB9LFxuICB7IHRpdGxlOiBcIk1vcmUgd2F5cyB0byByZWFkXCIsIG5hbWVzOiBbXCJmb2xsb3dpbmdcIiwgXCJjb21wbGV0ZS1saXN0c1wiLCBcIm1pcnJvclwiLCBcIm1hbnktbWFjaGluZXNcIl0gfSxcbiAgeyB0aXRsZTogXCJZb3VyIG93biBhcHBcIiwgbmFtZXM6IFtcImluYm94XCIsIFwib2JzZXJ2aW5nXCIsIFwidGVzdGluZ1wiLCBcInRlcm1pbmFsXCJdIH0sXG4gIHsgdGl0bGU6IFwiQmFja2dyb3VuZFwiLCBuYW1lczogW1wiaW5zaWRlXCJdIH1cbl1cbiJdLAogICJtYXBwaW5ncyI6ICI7QUFBMlEsU0FBUyxvQkFBb0I7OztBQ0N4UyxTQUFTLGdCQUFBQSxxQkFBb0I7QUFDN0IsU0FBUyxRQUFBQyxhQUFZOzs7QUNNckIsU0FBUyxZQUFZLGNBQWMsZ0JBQWdCO0FBQ25ELFNBQVMsU0FBUyxTQUFTLE1BQU0sT0FBTyxVQUFVLFdBQVc7QUFDN0QsU0FBUyxxQkFBcUI7QUFWZ0gsSUFBTSwyQ0FBMkM7QUFheEwsSUFBTSxPQUFlLGNBQWMsSUFBSSxJQUFJLE9BQU8sd0NBQWUsQ0FBQztBQUdsRSxJQUFNLFFBQWdCLGNBQWMsSUFBSSxJQUFJLFVBQVUsd0NBQWUsQ0FBQztBQWlCN0UsSUFBTSxhQUFhLENBQUMsU0FBMEIsQ0FBQyxrQkFBa0IsS0FBSyxJQUFJO0FBRzFFLElBQU0sZUFBZSxDQUFDLFNBQXlCLFNBQVMsTUFBTSxJQUFJLEVBQUUsTUFBTSxHQUFHLEVBQUUsS0FBSyxNQUFNLEdBQUc7QUFHdEYsSUFBTSxTQUFTLENBQUMsTUFBYyxFQUFFLEtBQUssTUFBZ0M7QUFDMUUsTUFBSSxDQUFDLFdBQVcsSUFBSSxFQUFHLFFBQU87QUFDOUIsUUFBTSxPQUFPLEtBQUssUUFBUSxJQUFJLEdBQUcsS0FBSyxRQUFRLFdBQVcsRUFBRSxDQUFDO0FBQzVELFNBQU8sS0FBSyxXQUFXLEtBQUssSUFBSSxTQUFZLGFBQWEsSUFBSTtBQUMvRDtBQUdBLElBQU0sTUFBTSxDQUFDLFNBQXFDO0FBQ2hELE1BQUksU0FBUyxZQUFhLFFBQU87QUFDakMsUUFBTSxPQUFPLHdDQUF3QyxLQUFLLElBQUksSUFBSSxDQUFDO0FBQ25FLFNBQU8sU0FBUyxVQUFhLFNBQVMsU0FBUyxTQUFTLFdBQVcsU0FBWSxvQkFBb0IsSUFBSTtBQUN6RztBQUdPLElBQU0sUUFBUSxDQUFDLFNBQXlCO0FBQzdDLFFBQU0sYUFBYSxDQUFDLE1BQU0sS0FBSyxNQUFNLFdBQVcsR0FBRyxNQUFNLEtBQUssTUFBTSxZQUFZLENBQUM7QUFDakYsU0FBTyxXQUFXLEtBQUssQ0FBQyxjQUFjLFdBQVcsS0FBSyxNQUFNLFNBQVMsQ0FBQyxDQUFDLEtBQUs7QUFDOUU7QUFHQSxJQUFNLGFBQWEsQ0FBQyxNQUFjLFdBQ2hDLENBQUMsR0FBRyxhQUFhLEtBQUssTUFBTSxJQUFJLEdBQUcsTUFBTSxFQUFFLFNBQVMsYUFBYSxDQUFDLEVBQy9ELEtBQUssQ0FBQyxDQUFDLEVBQUUsVUFBVSxFQUFFLE1BQU0sUUFBUSxZQUFZLEVBQUUsV0FBVyxhQUFhLEVBQUUsRUFBRSxXQUFXLEtBQUssR0FBRyxNQUFNLE1BQU07QUFHMUcsSUFBTSxZQUFZLENBQUMsTUFBYyxFQUFFLE1BQU0sTUFBTSxNQUFnQztBQUNwRixNQUFJLENBQUMsU0FBUyxLQUFLLE1BQU0sTUFBTSxJQUFJLENBQUMsR0FBRyxFQUFFLGdCQUFnQixNQUFNLENBQUMsR0FBRyxPQUFPLEVBQUcsUUFBTyxHQUFHLElBQUk7QUFDM0YsUUFBTSxTQUFTLFNBQVMsS0FBSyxJQUFJLElBQUksQ0FBQztBQUN0QyxNQUFJLFdBQVcsVUFBYSxDQUFDLFdBQVcsTUFBTSxJQUFJLEdBQUcsTUFBTSxFQUFHLFFBQU8sR0FBRyxJQUFJLG9CQUFvQixNQUFNO0FBQ3RHLE1BQUksVUFBVSxVQUFhLFFBQVEsTUFBTSxJQUFJLENBQUMsTUFBTSxNQUFPLFFBQU8sR0FBRyxJQUFJLGdDQUFnQyxLQUFLO0FBQzlHLE1BQUksVUFBVSxVQUFhLE9BQU8sTUFBTSxLQUFLLE1BQU0sT0FBVyxRQUFPLEdBQUcsSUFBSSxzQkFBc0IsS0FBSztBQUN2RyxTQUFPO0FBQ1Q7QUFHQSxJQUFNLFNBQVMsQ0FBQyxNQUFjLFlBQXdDO0FBQ3BFLFFBQU0sUUFBUSxhQUFhLEtBQUssTUFBTSxNQUFNLElBQUksQ0FBQyxHQUFHLE1BQU0sRUFBRSxNQUFNLElBQUksRUFBRSxVQUFVLENBQUMsU0FBUyxLQUFLLFNBQVMsT0FBTyxDQUFDO0FBQ2xILFNBQU8sVUFBVSxLQUFLLFNBQVksUUFBUTtBQUM1QztBQUdPLElBQU0sVUFBVSxDQUFDLFNBQXlCLEtBQUssV0FBVyxhQUFhLElBQUksRUFBRSxRQUFRLFNBQVMsRUFBRTtBQUdoRyxJQUFNLFFBQVEsQ0FBQyxNQUFjLEVBQUUsTUFBTSxNQUFNLE1BQW9CO0FBQ3BFLFFBQU0sTUFBTSxJQUFJLElBQUksS0FBSyxXQUFXLFFBQVEsTUFBTSxJQUFJLENBQUMsQ0FBQztBQUN4RCxRQUFNLE9BQU8sVUFBVSxTQUFZLFNBQVksT0FBTyxNQUFNLEtBQUs7QUFDakUsU0FBTyxTQUFTLFNBQVksT0FBTyxPQUFPLEtBQUssSUFBSSxJQUFJLENBQUMsS0FBSyxNQUFNLEdBQUcsR0FBRyxLQUFLLElBQUk7QUFDcEY7OztBRGhGQSxJQUFNLFVBQVUsQ0FBQyxTQUF5QjtBQUN4QyxRQUFNLE1BQU1DLGNBQWFDLE1BQVcsTUFBTSxJQUFJLEdBQUcsTUFBTSxFQUFFLFFBQVEsMkJBQTJCLEVBQUUsRUFBRSxLQUFLO0FBQ3JHLFNBQU8seUNBQXlDLEdBQUc7QUFDckQ7QUFHTyxJQUFNLFFBQVEsQ0FBQyxhQUFxQztBQUN6RCxXQUFTLEtBQUssTUFBTSxLQUFLLGNBQWMsQ0FBQyxFQUFFLEtBQUssT0FBTyxNQUFNO0FBQzFELGVBQVcsU0FBUyxPQUFPLFFBQVEsQ0FBQyxFQUFFLFNBQVMsTUFBTSxZQUFZLENBQUMsQ0FBQyxHQUFHO0FBQ3BFLFVBQUksTUFBTSxTQUFTLFNBQVM7QUFDMUIsY0FBTUMsUUFBYSxPQUFPLElBQUksTUFBTSxFQUFFLE1BQU0sTUFBTSxRQUFRLEtBQUssS0FBSyxJQUFJLE9BQU8sT0FBVSxDQUFDO0FBQzFGLFlBQUlBLFVBQVMsVUFBYSxDQUFDLHdCQUF3QixLQUFLQSxLQUFJLEVBQUc7QUFDL0QsY0FBTSxPQUFPO0FBQ2IsY0FBTSxVQUFVLFFBQVFBLEtBQUk7QUFBQSxNQUM5QjtBQUNBLFVBQUksTUFBTSxTQUFTLFlBQWE7QUFDaEMsWUFBTSxPQUFPLEVBQUUsTUFBTSxNQUFNLFFBQVEsTUFBTSxLQUFLLElBQUksT0FBTyxNQUFNLFFBQVEsT0FBTyxLQUFLLE9BQVU7QUFDN0YsWUFBTSxPQUFhLE9BQU8sSUFBSSxNQUFNLElBQUk7QUFDeEMsVUFBSSxTQUFTLE9BQVc7QUFDeEIsWUFBTSxVQUFnQixVQUFVLE1BQU0sSUFBSTtBQUMxQyxVQUFJLFlBQVksT0FBVyxPQUFNLElBQUksTUFBTSxHQUFHLElBQUksWUFBWSxLQUFLLE9BQU8sRUFBRTtBQUM1RSxZQUFNLFFBQVEsUUFBYyxNQUFNLE1BQU0sSUFBSSxDQUFDO0FBQzdDLFlBQU0sU0FBUyxTQUFTLFdBQVc7QUFBQSxJQUNyQztBQUFBLEVBQ0YsQ0FBQztBQUNIO0FBR08sSUFBTSxTQUFTLENBQUMsRUFBRSxVQUFVLEVBQUUsTUFBTSxFQUFFLE1BQThCO0FBQ3pFLGFBQVcsUUFBUSxDQUFDLFFBQVEsYUFBYSxHQUFHO0FBQzFDLFVBQU0sT0FBTyxNQUFNLElBQUk7QUFDdkIsUUFBSSxTQUFTLE9BQVcsT0FBTSxJQUFJLE1BQU0sNkRBQTZELElBQUksRUFBRTtBQUMzRyxVQUFNLElBQUksSUFBSSxJQUFJLFNBQVMsS0FBSyxHQUFHLElBQUksRUFBRSxXQUFXLE1BQU0sY0FBYztBQUFBLEVBQzFFO0FBQ0Y7QUFHTyxJQUFNLFFBQWtFO0FBQUEsRUFDN0UsTUFBTTtBQUFBLEVBQ04sS0FBSyxNQUFNLE1BQU07QUFDZixRQUFJLGFBQWEsS0FBSyxLQUFLLFFBQVEsTUFBTSxTQUFTLEVBQUUsRUFBRyxNQUFLLFdBQVcsSUFBSSxJQUFJLElBQUksSUFBSTtBQUFBLEVBQ3pGO0FBQ0Y7OztBRTdDQSxTQUFTLDJCQUEyQjtBQUNwQyxTQUFTLGtDQUFrQztBQUMzQyxTQUFTLGtCQUFrQjtBQUMzQixTQUFTLGFBQWEsZ0JBQUFDLHFCQUFvQjtBQUMxQyxTQUFTLFFBQUFDLGFBQVk7QUFDckIsU0FBUyx3QkFBd0I7QUFDakMsT0FBTyxRQUFRO0FBR2YsSUFBTSxrQkFBc0M7QUFBQSxFQUMxQyxRQUFRLEdBQUcsYUFBYTtBQUFBLEVBQ3hCLEtBQUssQ0FBQyxtQkFBbUIsZ0JBQWdCLDRCQUE0QjtBQUFBLEVBQ3JFLFFBQVEsR0FBRyxXQUFXO0FBQUEsRUFDdEIsa0JBQWtCLEdBQUcscUJBQXFCO0FBQUEsRUFDMUMsaUJBQWlCLEdBQUcsb0JBQW9CO0FBQUEsRUFDeEMsUUFBUTtBQUFBLEVBQ1IsNEJBQTRCO0FBQUEsRUFDNUIsNEJBQTRCO0FBQUEsRUFDNUIsY0FBYztBQUFBLEVBQ2QsUUFBUTtBQUFBLEVBQ1IsT0FBTyxDQUFDLE1BQU07QUFBQSxFQUNkLFdBQVcsQ0FBQ0MsTUFBSyxNQUFNLHFCQUFxQixDQUFDO0FBQy9DO0FBR0EsSUFBTSxLQUFLLENBQUMsV0FDVixpQkFBaUIsRUFBRSxTQUFTQSxNQUFLLE1BQU0sTUFBTSxHQUFHLFVBQVUsR0FBRyxDQUFDO0FBRWhFLElBQU0sVUFBVSxHQUFHLFVBQVU7QUFDN0IsSUFBTSxVQUFVLEdBQUcsa0JBQWtCO0FBR3JDLElBQU0sY0FBYyxNQUFjO0FBQ2hDLFFBQU0sVUFBVSxZQUFZQSxNQUFLLE1BQU0sVUFBVSxHQUFHLEVBQUUsV0FBVyxNQUFNLFVBQVUsT0FBTyxDQUFDLEVBQ3RGLE9BQU8sQ0FBQyxTQUFTLCtDQUErQyxLQUFLLElBQUksQ0FBQyxFQUMxRSxLQUFLO0FBQ1IsUUFBTSxPQUFPLFdBQVcsUUFBUSxFQUFFLE9BQU8sS0FBSyxVQUFVLGVBQWUsQ0FBQztBQUN4RSxhQUFXLFFBQVEsQ0FBQyxrQkFBa0IsdUJBQXVCLEdBQUcsUUFBUSxJQUFJLENBQUNDLFVBQVNELE1BQUssWUFBWUMsS0FBSSxDQUFDLENBQUMsR0FBRztBQUM5RyxTQUFLLE9BQU8sSUFBSSxFQUFFLE9BQU9DLGNBQWFGLE1BQUssTUFBTSxJQUFJLENBQUMsQ0FBQztBQUFBLEVBQ3pEO0FBQ0EsU0FBTyxLQUFLLE9BQU8sS0FBSyxFQUFFLE1BQU0sR0FBRyxFQUFFO0FBQ3ZDO0FBRUEsSUFBTSxRQUFRLDJCQUEyQixFQUFFLEtBQUtBLE1BQUssTUFBTSxxQ0FBcUMsWUFBWSxDQUFDLEVBQUUsQ0FBQztBQUNoSCxNQUFNLE9BQU87QUFHYixJQUFNLFVBQVUsSUFBSSxDQUFDLE1BQVMsT0FBSSxPQUMvQixLQUFLLFNBQVMsc0JBQXVCLElBQUksVUFBVSxTQUFTLE1BQU0sR0FBRyxJQUFJO0FBRTVFLElBQU0sYUFBNkIsT0FBTztBQUFBLEVBQ3hDLElBQUksQ0FBQyxNQUFTLE9BQUksTUFBa0M7QUFDbEQsVUFBTSxRQUFRLE1BQU0sS0FBSyxJQUFJO0FBQzdCLFFBQUksVUFBVSxLQUFNLFFBQU87QUFDM0IsVUFBTSxXQUFXLFFBQVEsTUFBTSxHQUFHLElBQUk7QUFDdEMsVUFBTSxNQUFNLE1BQU0sUUFBUTtBQUMxQixXQUFPO0FBQUEsRUFDVDtBQUFBLEVBQ0EsRUFBRSxhQUFhLFFBQVEsWUFBWTtBQUNyQztBQUVPLElBQU0sVUFBVSxvQkFBb0IsRUFBRSxZQUFZLGlCQUFpQixFQUFFLGdCQUFnQixHQUFHLFFBQVEsS0FBSyxDQUFDOzs7QUNoRTdHLFNBQVMsZUFBQUcsY0FBYSxnQkFBQUMscUJBQW9CO0FBQzFDLFNBQVMsVUFBVSxRQUFBQyxhQUFZOzs7QUNEeEIsSUFBTSxTQUEyRjtBQUFBLEVBQ3RHLEVBQUUsT0FBTyxTQUFTLE9BQU8sQ0FBQyxjQUFjLG9CQUFvQixZQUFZLGFBQWEsRUFBRTtBQUFBLEVBQ3ZGLEVBQUUsT0FBTyxtQkFBbUIsT0FBTyxDQUFDLG1CQUFtQixXQUFXLGFBQWEsVUFBVSxFQUFFO0FBQUEsRUFDM0YsRUFBRSxPQUFPLHdCQUF3QixPQUFPLENBQUMsc0JBQXNCLGVBQWUsbUJBQW1CLEVBQUU7QUFBQSxFQUNuRyxFQUFFLE9BQU8scUJBQXFCLE9BQU8sQ0FBQyxhQUFhLGtCQUFrQixVQUFVLGVBQWUsRUFBRTtBQUFBLEVBQ2hHLEVBQUUsT0FBTyxnQkFBZ0IsT0FBTyxDQUFDLFNBQVMsYUFBYSxXQUFXLFVBQVUsRUFBRTtBQUFBLEVBQzlFLEVBQUUsT0FBTyxjQUFjLE9BQU8sQ0FBQyxRQUFRLEVBQUU7QUFDM0M7OztBREVBLElBQU0sVUFBVSxDQUFDLFVBQ2QsWUFBWSxLQUFLQyxjQUFhQyxNQUFLLE9BQU8sSUFBSSxHQUFHLE1BQU0sQ0FBQyxJQUFJLENBQUMsS0FBSyxTQUFTLE1BQU0sS0FBSyxHQUFHO0FBQUEsRUFDeEY7QUFBQSxFQUNBO0FBQ0Y7QUFHRixJQUFNLFVBQVUsQ0FBQyxXQUNmQyxhQUFZRCxNQUFLLE9BQU8sTUFBTSxHQUFHLEVBQUUsV0FBVyxNQUFNLFVBQVUsT0FBTyxDQUFDLEVBQ25FLElBQUksQ0FBQyxTQUFTLEtBQUssV0FBVyxNQUFNLEdBQUcsQ0FBQyxFQUN4QyxPQUFPLENBQUMsU0FBUyxLQUFLLFNBQVMsS0FBSyxLQUFLLFNBQVMsVUFBVSxFQUM1RCxLQUFLLENBQUMsR0FBRyxNQUFNLFNBQVMsQ0FBQyxFQUFFLGNBQWMsU0FBUyxDQUFDLENBQUMsQ0FBQyxFQUNyRCxJQUFJLENBQUMsU0FBUyxHQUFHLE1BQU0sSUFBSSxJQUFJLEVBQUU7QUFFdEMsSUFBTSxPQUFPLENBQUMsTUFBYyxPQUFlLFFBQVEsSUFBSSxPQUFhLEVBQUUsTUFBTSxNQUFNLElBQUksS0FBSyxRQUFRLFNBQVMsRUFBRSxDQUFDLEdBQUc7QUFFM0csSUFBTUUsVUFBc0I7QUFBQSxFQUNqQyxHQUFHLE9BQVMsSUFBSSxDQUFDLEVBQUUsT0FBTyxNQUFNLE9BQU8sRUFBRSxNQUFNLE9BQU8sT0FBTyxNQUFNLElBQUksQ0FBQyxTQUFTLEtBQUssVUFBVSxJQUFJLEtBQUssQ0FBQyxFQUFFLEVBQUU7QUFBQSxFQUM5RyxFQUFFLE1BQU0sY0FBYyxPQUFPLENBQUMsS0FBSyxZQUFZLENBQUMsRUFBRTtBQUNwRDtBQUVBLElBQU0sT0FBTyxRQUFRLEdBQUcsRUFBRSxJQUFJLENBQUMsU0FBUyxLQUFLLElBQUksQ0FBQztBQUNsRCxJQUFNLFVBQVUsQ0FBQyxFQUFFLE9BQU8sR0FBRyxNQUFxQixTQUFTLEtBQUssWUFBWTtBQUVyRSxJQUFNLFNBQXNCO0FBQUEsRUFDakMsRUFBRSxNQUFNLGNBQWMsTUFBTSxNQUFNO0FBQUEsRUFDbEMsRUFBRSxNQUFNLGNBQWMsT0FBTyxLQUFLLE9BQU8sT0FBTyxFQUFFO0FBQUEsRUFDbEQsRUFBRSxNQUFNLGtCQUFrQixPQUFPLEtBQUssT0FBTyxDQUFDLFFBQVEsQ0FBQyxRQUFRLEdBQUcsQ0FBQyxFQUFFO0FBQ3ZFO0FBRUEsSUFBTSxVQUFVRCxhQUFZRCxNQUFLLE9BQU8saUJBQWlCLENBQUMsRUFBRSxJQUFJLENBQUMsVUFBZ0I7QUFBQSxFQUMvRSxNQUFNLGVBQWUsSUFBSTtBQUFBLEVBQ3pCLE1BQU0sb0JBQW9CLElBQUk7QUFBQSxFQUM5QixXQUFXO0FBQUEsRUFDWCxPQUFPLFFBQVEsbUJBQW1CLElBQUksRUFBRSxFQUFFLElBQUksQ0FBQyxTQUFTLEtBQUssTUFBTSxRQUFRLElBQUksRUFBRSxRQUFRLGVBQWUsSUFBSSxLQUFLLEVBQUUsQ0FBQyxDQUFDO0FBQ3ZILEVBQUU7QUFFSyxJQUFNLE1BQW1CLENBQUMsS0FBSyxjQUFjLEdBQUcsR0FBRyxPQUFPOzs7QUoxQ2pFLElBQU8saUJBQVEsYUFBYTtBQUFBLEVBQzFCLE9BQU87QUFBQSxFQUNQLGFBQWE7QUFBQSxFQUNiLE1BQU07QUFBQSxFQUNOLFFBQVE7QUFBQSxFQUNSLFFBQVE7QUFBQSxFQUNSLFVBQVU7QUFBQSxFQUNWLE1BQU0sQ0FBQyxDQUFDLFFBQVEsRUFBRSxLQUFLLFFBQVEsTUFBTSxhQUFhLE1BQU0sZ0JBQWdCLENBQUMsQ0FBQztBQUFBLEVBQzFFLFVBQVU7QUFBQSxJQUNSLFFBQVEsQ0FBQyxhQUFhO0FBQ3BCLE1BQVcsTUFBTSxRQUFRO0FBQ3pCLE1BQVcsT0FBTyxRQUFRO0FBQUEsSUFDNUI7QUFBQSxJQUNBLGtCQUFrQixDQUFDLFNBQW9CLEtBQUs7QUFBQSxFQUM5QztBQUFBLEVBQ0EsYUFBYTtBQUFBLElBQ1gsS0FBSztBQUFBLE1BQ0gsRUFBRSxNQUFNLFVBQVUsTUFBTSxzQkFBc0IsYUFBYSxZQUFZO0FBQUEsTUFDdkUsRUFBRSxNQUFNLFVBQVUsTUFBTSxPQUFPLGFBQWEsT0FBTztBQUFBLE1BQ25ELEVBQUUsTUFBTSxpQkFBaUIsTUFBTSxTQUFTLGFBQWEsU0FBUztBQUFBLE1BQzlELEVBQUUsTUFBTSxjQUFjLE1BQU0sY0FBYztBQUFBLElBQzVDO0FBQUEsSUFDQSxTQUFTO0FBQUEsTUFDUCxZQUFvQkc7QUFBQSxNQUNwQixPQUFlO0FBQUEsTUFDZixTQUFpQjtBQUFBLE1BQ2pCLGNBQXNCO0FBQUEsTUFDdEIsWUFBb0JBO0FBQUEsSUFDdEI7QUFBQSxJQUNBLFNBQVMsQ0FBQyxHQUFHLENBQUM7QUFBQSxJQUNkLFFBQVE7QUFBQSxNQUNOLFVBQVU7QUFBQSxNQUNWLFNBQVM7QUFBQTtBQUFBLFFBRVAsU0FBUyxDQUFDLFFBQVEsS0FBSyxhQUFhO0FBQ2xDLGdCQUFNLE9BQU8sU0FBUyxPQUFPLE9BQU8sV0FBVyx1Q0FBdUMsRUFBRSxHQUFHLEdBQUc7QUFDOUYsaUJBQU8sSUFBSSxjQUFjLFFBQVEsTUFBTSxRQUFRLEtBQUs7QUFBQSxRQUN0RDtBQUFBLE1BQ0Y7QUFBQSxJQUNGO0FBQUEsSUFDQSxXQUFXLEVBQUUsTUFBTSxZQUFZLE1BQU0sT0FBTztBQUFBLEVBQzlDO0FBQUEsRUFDQSxNQUFNLEVBQUUsT0FBTyxFQUFFLHVCQUF1QixJQUFLLEVBQUU7QUFDakQsQ0FBQzsiLAogICJuYW1lcyI6IFsicmVhZEZpbGVTeW5jIiwgImpvaW4iLCAicmVhZEZpbGVTeW5jIiwgImpvaW4iLCAiZmlsZSIsICJyZWFkRmlsZVN5bmMiLCAiam9pbiIsICJqb2luIiwgInBhdGgiLCAicmVhZEZpbGVTeW5jIiwgInJlYWRkaXJTeW5jIiwgInJlYWRGaWxlU3luYyIsICJqb2luIiwgInJlYWRGaWxlU3luYyIsICJqb2luIiwgInJlYWRkaXJTeW5jIiwgImd1aWRlcyIsICJndWlkZXMiXQp9Cg==
