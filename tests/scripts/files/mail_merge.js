// Fills a template for each customer. A name that the data doesn't have is an error that tells the template.
const template = (await tools.files.read_text_file({ path: "shop/letter.txt" })).content;
const customers = JSON.parse((await tools.files.read_text_file({ path: "shop/customers.json" })).content);
const fill = (data) =>
  template.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (all, name) => {
    if (!Object.hasOwn(data, name)) throw new Error(`the template wants ${name}, and ${data.name} has none`);
    return data[name];
  });

const sent = [];
const problems = [];
for (const customer of customers) {
  try {
    const path = `out/letter-${customer.name.toLowerCase()}.txt`;
    await tools.files.write_file({ path, content: fill(customer) });
    sent.push(path);
  } catch (error) {
    problems.push(error.message);
  }
}
return { sent, problems };
