export { default } from "@mailstream/testing/globalSetup/programs"
