export { default } from "@mailstream/testing/globalSetup/postgres"
