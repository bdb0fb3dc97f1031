// An enum has a meaning at run time, so it can't be taken out with the types.
enum Colour {
  Red = "red",
}
return Colour.Red;
