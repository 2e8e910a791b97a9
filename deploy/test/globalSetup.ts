export { default } from "@mailstream/testing/globalSetup/all"
