// The program that precompiled.h is compiled for.
int main() {}
