export * from "@mailstream/kernel/Head"
