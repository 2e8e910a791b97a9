import TwoslashFloatingVue from "@shikijs/vitepress-twoslash/client"
import type { Theme } from "vitepress"
import DefaultTheme from "vitepress/theme"
import { h } from "vue"
import Walk from "./Walk.ts"
import "@shikijs/vitepress-twoslash/style.css"
import "./style.css"
import "./home.css"

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { "home-hero-image": () => h(Walk) }),
  enhanceApp: ({ app }) => {
    app.use(TwoslashFloatingVue)
  }
} satisfies Theme
